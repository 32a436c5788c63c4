import { useSyncExternalStore } from 'react'
import { holdForOwner } from '../../session/session-owner.ts'

export type LocalJobState = 'running' | 'completed' | 'failed' | 'cancelled'

/** Work of this tab other than uploads, such as downloading a file or creating an archive. */
export interface LocalJob {
  readonly id: string
  readonly kind: 'download' | 'pack'
  readonly name: string
  readonly state: LocalJobState
  /** Text that describes the current step. */
  readonly stage: string | null
  readonly doneBytes: number
  /** `null` if unknown. */
  readonly totalBytes: number | null
  /** Texts that describe failed parts. */
  readonly failures: readonly string[]
  readonly cancel: (() => void) | null
  readonly retry: (() => void) | null
}

type Progress = Partial<Pick<LocalJob, 'stage' | 'doneBytes' | 'totalBytes' | 'failures'>>

export interface JobHandle {
  readonly update: (progress: Progress) => void
  readonly end: (state: Exclude<LocalJobState, 'running'>, progress?: Progress) => void
}

let jobs: readonly LocalJob[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly LocalJob[]) {
  jobs = next
  for (const listener of listeners) listener()
}

/** Shows work in the tray. Its `cancel` function must actually stop the work. */
export function registerJob(
  job: Pick<LocalJob, 'kind' | 'name' | 'cancel'> & Partial<Pick<LocalJob, 'retry' | 'totalBytes'>>,
): JobHandle {
  lastId += 1
  const id = `job-${lastId}`
  const start: LocalJob = {
    retry: null,
    totalBytes: null,
    ...job,
    id,
    state: 'running',
    stage: null,
    doneBytes: 0,
    failures: [],
  }
  publish([...jobs, start])
  const change = (fields: Partial<LocalJob>) =>
    publish(jobs.map((one) => (one.id === id ? { ...one, ...fields } : one)))
  return { update: change, end: (state, progress) => change({ ...progress, state }) }
}

export const forgetJobs = (ids: readonly string[]): void =>
  publish(jobs.filter(({ id, state }) => state === 'running' || !ids.includes(id)))

export const getJobs = (): readonly LocalJob[] => jobs

export const useLocalJobs = (): readonly LocalJob[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getJobs,
    getJobs,
  )

const cancelAll = (isMeant: (job: LocalJob) => boolean) => {
  for (const job of jobs) if (job.state === 'running' && isMeant(job)) job.cancel?.()
}

holdForOwner({
  // Cancels only archives. A running download needs no session for its remaining bytes, but an archive would lack all
  // remaining files.
  onAway: () => cancelAll(({ kind }) => kind === 'pack'),
  onGone() {
    cancelAll(() => true)
    publish([])
  },
})
