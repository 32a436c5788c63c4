import { type Opening, type OpeningKind, shareErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import type { ThrottleRule } from '../../../throttles/throttles.ts'

export interface OpeningSettings {
  readonly opening: Opening | null
  readonly pin: string | null
}

/**
 * Returns how a new share opens. A PIN makes the share require confirmation. @throws {AppError} `share.pin_needs_ask`
 */
export function openingOf({ opening, pin }: OpeningSettings): Opening {
  if (pin !== null && opening === 'direct') throw new AppError(shareErrors.pin_needs_ask)
  return pin === null ? (opening ?? 'direct') : 'ask'
}

const PIN_TRIES = 5
const PIN_SECONDS = 15 * 60

/**
 * Returns the limit for wrong PINs of a share. After too many wrong PINs, all visitors have to wait. The share is not
 * changed.
 */
export const pinRuleOf = (kind: OpeningKind, id: string): ThrottleRule => ({
  key: `opening-pin:${kind}:${id}`,
  limit: PIN_TRIES,
  windowSeconds: PIN_SECONDS,
  pauseSeconds: PIN_SECONDS,
})

/** Returns the error for direct access to a share that requires confirmation. */
export const askFirst = (kind: OpeningKind, slug: string): AppError =>
  new AppError(shareErrors.ask_first, { params: { kind, slug } })

interface Ended {
  readonly opening: Opening
  readonly max_views: number | null
  readonly views: number
  readonly purged_at_ms: number | null
}

/** Whether the owner sees a share. Applies the rule of `isSeenByOwner` in `db/share-queries.ts` to a loaded row. */
export const isSeenByOwner = ({ opening, max_views, views, purged_at_ms }: Ended): boolean =>
  purged_at_ms === null || (opening === 'ask' && max_views !== null && views >= max_views)

/** The fields of a share whose change invalidates its tickets and signed URLs. */
export interface Locked {
  readonly password_hash: string | null
  readonly pin_hash: string | null
  readonly generation: number
}

/**
 * Identifies the current password, PIN and generation of a share. Its tickets and signed URLs become invalid when one
 * of them changes. Those of earlier versions have no generation, which counts as 0.
 * @returns `null` for generation 0 without a password and without a PIN
 */
export function lockOf({ password_hash, pin_hash, generation }: Locked): string | null {
  const keys = pin_hash === null ? password_hash : `${password_hash ?? ''} ${pin_hash}`
  return generation === 0 ? keys : `${generation} ${keys ?? ''}`
}
