/** How long somebody who has said no is not asked again. */
export const INSTALL_AGAIN_MS = 7 * 24 * 3600 * 1000
const UPDATE_AGAIN_MS = 3600 * 1000
/** Whoever has just come looks at the page itself first. */
export const LOOK_FIRST_MS = 10_000

interface InstallFacts {
  readonly nowMs: number
  /** How long the page has been there. */
  readonly ageMs: number
  /** Somebody has clicked, tapped or typed in it. */
  readonly isUsed: boolean
  /** When the offer was turned down; `null` for never. */
  readonly dismissedAtMs: number | null
  readonly isInstalled: boolean
  /** The browser can be asked to install the app. */
  readonly hasPrompt: boolean
  /** The app can be installed, by hand. */
  readonly isByHand: boolean
}

/** How the app is offered for installation, if at all. */
export function installOffer(facts: InstallFacts): 'prompt' | 'by-hand' | null {
  const { nowMs, ageMs, isUsed, dismissedAtMs, isInstalled, hasPrompt, isByHand } = facts
  const isQuiet = dismissedAtMs !== null && Math.abs(nowMs - dismissedAtMs) < INSTALL_AGAIN_MS
  if (isInstalled || isQuiet || !(isUsed || ageMs >= LOOK_FIRST_MS)) return null
  if (hasPrompt) return 'prompt'
  return isByHand ? 'by-hand' : null
}

/** "Later" to an update. */
export interface Postponed {
  readonly version: string
  readonly atMs: number
}

export const isPostponed = (value: unknown): value is Postponed =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'string' &&
  'atMs' in value &&
  typeof value.atMs === 'number'

/** Whether a version that waits is to be offered now. */
export const isUpdateDue = (version: string, postponed: Postponed | null, nowMs: number): boolean =>
  postponed?.version !== version || Math.abs(nowMs - postponed.atMs) >= UPDATE_AGAIN_MS
