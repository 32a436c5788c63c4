import { type Opening, type OpeningKind, shareErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import type { ThrottleRule } from '../../../throttles/throttles.ts'

export interface OpeningSettings {
  readonly opening: Opening | null
  readonly pin: string | null
}

/** Returns how a new share opens. A PIN makes it require confirmation. @throws {AppError} `share.pin_needs_ask` */
export function openingOf({ opening, pin }: OpeningSettings): Opening {
  if (pin !== null && opening === 'direct') throw new AppError(shareErrors.pin_needs_ask)
  return pin === null ? (opening ?? 'direct') : 'ask'
}

const PIN_TRIES = 5
const PIN_SECONDS = 15 * 60

/** Limits wrong PINs per share. After too many, all visitors have to wait. The share is not changed. */
export const pinRuleOf = (kind: OpeningKind, id: string): ThrottleRule => ({
  key: `opening-pin:${kind}:${id}`,
  limit: PIN_TRIES,
  windowSeconds: PIN_SECONDS,
  pauseSeconds: PIN_SECONDS,
})

/** The error for direct access to a share that requires confirmation. */
export const askFirst = (kind: OpeningKind, slug: string): AppError =>
  new AppError(shareErrors.ask_first, { params: { kind, slug } })

/** Identifies the current password and PIN of a share. Links become invalid when either changes. */
export const lockOf = (row: { password_hash: string | null; pin_hash: string | null }): string | null =>
  row.pin_hash === null ? row.password_hash : `${row.password_hash ?? ''} ${row.pin_hash}`
