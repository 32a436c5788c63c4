import { type Guide, GUIDE_STEPS, type GuideStep } from '@dropleaf/contract'

/** The steps with work to do. The last step of the guide only links to other pages. */
export const WORK_STEPS = GUIDE_STEPS.filter((step) => step !== 'done')

export const isGuideStep = (value: unknown): value is GuideStep => GUIDE_STEPS.some((step) => step === value)

const moved = (step: GuideStep, by: 1 | -1): GuideStep => {
  const index = GUIDE_STEPS.indexOf(step) + by
  return GUIDE_STEPS[Math.min(Math.max(index, 0), GUIDE_STEPS.length - 1)] ?? step
}

export const stepAfter = (step: GuideStep): GuideStep => moved(step, 1)
/** Returns the previous step; `null` for the first step. */
export const stepBefore = (step: GuideStep): GuideStep | null =>
  step === GUIDE_STEPS[0] ? null : moved(step, -1)

/** Returns the progress at the start of a step. The last step finishes the guide. Other steps keep the state. */
export const guideAt = ({ state, done }: Omit<Guide, 'step'>, step: GuideStep): Guide => ({
  state: step === 'done' ? 'done' : state,
  step,
  done,
})

/** Returns the progress when the user leaves the guide. */
export const guideLeft = ({ state, done }: Omit<Guide, 'step'>, step: GuideStep): Guide => ({
  state: state === 'done' ? 'done' : 'later',
  step,
  done,
})

/** Returns the guide with one more finished step. */
export const withDone = ({ state, step, done }: Guide, finished: GuideStep): Guide => ({
  state,
  step,
  done: [...new Set([...done, finished])],
})

/** Whether a host name is local. Links with a local host name do not work on other devices. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const FEW_BYTES = 2 * 1024 ** 3
const FEW_SHARE = 0.05

/** Whether a disk has little space left. */
export const isNearlyFull = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): boolean =>
  freeBytes < FEW_BYTES || freeBytes < totalBytes * FEW_SHARE
