/** How long the install prompt stays hidden after the user has dismissed it. */
export const INSTALL_AGAIN_MS = 7 * 24 * 3600 * 1000
const UPDATE_AGAIN_MS = 3600 * 1000
/** Delay of the install prompt, so that new visitors see the page first. */
export const LOOK_FIRST_MS = 10_000

interface InstallFacts {
  readonly nowMs: number
  /** Time since the page was opened. */
  readonly ageMs: number
  /** Whether the user has interacted with the page. */
  readonly isUsed: boolean
  /** When the user dismissed the prompt; `null` if never. */
  readonly dismissedAtMs: number | null
  readonly isInstalled: boolean
  /** Whether the browser has an install prompt. */
  readonly hasPrompt: boolean
  /** Whether the app can be installed from the browser's menu. */
  readonly isByHand: boolean
}

/** Returns how to offer the installation; `null` for no offer. */
export function installOffer(facts: InstallFacts): 'prompt' | 'by-hand' | null {
  const { nowMs, ageMs, isUsed, dismissedAtMs, isInstalled, hasPrompt, isByHand } = facts
  const isQuiet = dismissedAtMs !== null && Math.abs(nowMs - dismissedAtMs) < INSTALL_AGAIN_MS
  if (isInstalled || isQuiet || !(isUsed || ageMs >= LOOK_FIRST_MS)) return null
  if (hasPrompt) return 'prompt'
  return isByHand ? 'by-hand' : null
}

/** A postponed update. */
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

/** Whether to offer a waiting version now. */
export const isUpdateDue = (version: string, postponed: Postponed | null, nowMs: number): boolean =>
  postponed?.version !== version || Math.abs(nowMs - postponed.atMs) >= UPDATE_AGAIN_MS
