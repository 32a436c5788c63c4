/** How long the install prompt stays hidden after it was dismissed. */
export const INSTALL_AGAIN_MS = 7 * 24 * 3600 * 1000
const UPDATE_AGAIN_MS = 3600 * 1000
/** New visitors should see the page first. */
export const LOOK_FIRST_MS = 10_000

interface InstallFacts {
  readonly nowMs: number
  /** Age of the page. */
  readonly ageMs: number
  /** Whether the user has interacted with it. */
  readonly isUsed: boolean
  /** When the prompt was dismissed; `null` for never. */
  readonly dismissedAtMs: number | null
  readonly isInstalled: boolean
  /** The browser has an install prompt. */
  readonly hasPrompt: boolean
  /** The app can be installed from the browser's menu. */
  readonly isByHand: boolean
}

/** How to offer the installation, if at all. */
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
