import type { Opening } from '@dropleaf/contract'

interface OpeningEdit {
  readonly chosen: Opening | 'keep'
  readonly current: Opening
  /** Whether the share had no view limit before, and now has one. */
  readonly isNowLimited: boolean
  readonly hasPin: boolean
}

/** Returns how a share opens after an edit. */
export function editedOpening({ chosen, current, isNowLimited, hasPin }: OpeningEdit): Opening {
  if (hasPin) return 'ask'
  if (chosen !== 'keep') return chosen
  return isNowLimited ? 'ask' : current
}
