import { type Opening, type OpeningKind, shareErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import type { ThrottleRule } from '../../../throttles/throttles.ts'

export interface OpeningSettings {
  readonly opening: Opening | null
  readonly pin: string | null
}

/** How a new share opens. @throws {AppError} `share.pin_needs_ask` */
export function openingOf({ opening, pin }: OpeningSettings): Opening {
  if (pin !== null && opening === 'direct') throw new AppError(shareErrors.pin_needs_ask)
  return pin === null ? (opening ?? 'direct') : 'ask'
}

const PIN_TRIES = 5
const PIN_SECONDS = 15 * 60

/** Limits the wrong PINs of a share: after the last one nobody can try for a while. The share stays as it is. */
export const pinRuleOf = (kind: OpeningKind, id: string): ThrottleRule => ({
  key: `opening-pin:${kind}:${id}`,
  limit: PIN_TRIES,
  windowSeconds: PIN_SECONDS,
  pauseSeconds: PIN_SECONDS,
})

/** The refusal of a request that shows what it finds: the contents need an act. */
export const askFirst = (kind: OpeningKind, slug: string): AppError =>
  new AppError(shareErrors.ask_first, { params: { kind, slug } })

/** What must not change while a link is valid: who knows the password and the PIN. */
export const lockOf = (row: { password_hash: string | null; pin_hash: string | null }): string | null =>
  row.pin_hash === null ? row.password_hash : `${row.password_hash ?? ''} ${row.pin_hash}`
