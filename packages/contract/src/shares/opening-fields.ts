import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { rules } from '../core/rules.ts'
import { instant, optionalChoice, optionally } from '../core/wire.ts'

/** How a share opens: `direct` shows the contents on every request, `ask` only after the visitor has confirmed. */
export const OPENINGS = ['direct', 'ask'] as const
export type Opening = (typeof OPENINGS)[number]

export const shareErrors = defineErrors('share', {
  /** The share requires confirmation. No view was used. */
  ask_first: 428,
  /** The intent was used too early and is now invalid. */
  too_early: 425,
  /** The intent is unknown, already used, expired, or belongs to another share. */
  intent_invalid: 403,
  /** The caller behaved like a scanner. For some minutes, it gets no intents of this share. */
  automated: 403,
  pin_missing: 401,
  pin_wrong: 401,
  /** A share with a PIN cannot open directly. */
  pin_needs_ask: 400,
  /** The contents of the used-up share are deleted, so it cannot open again. */
  contents_gone: 410,
  /** The administrator allows only end-to-end encrypted shares. */
  must_be_sealed: 403,
  /** The administrator allows no end-to-end encrypted shares. */
  sealing_off: 403,
})

/** A PIN is 4 to 8 digits. */
export const PIN_PATTERN = /^\d{4,8}$/

/** Fields of a share that determine how it opens. By default, a share opens directly and has no PIN. */
export const openingWords = {
  opening: optionalChoice(OPENINGS),
  /** 4 to 8 digits that visitors must enter to open the share. */
  pin: optionally<string | null, string>(
    null,
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    z.nullable(z.string().check(z.regex(PIN_PATTERN, rules.pin))),
  ),
}

/** Facts about the openings of a share, for its owner. */
const openingNote = z.object({
  /**
   * Number of requests by previews and other programs that did not open the share. These requests used no views. The
   * page load of a person who opened the share is not counted.
   */
  previews: z.number(),
  previewed_at: z.nullable(instant),
  /** Name of the last known program that previewed the share. */
  previewed_by: z.nullable(z.string()),
  /** Time of the last opening since the share was created or reset. */
  opened_at: z.nullable(instant),
  wrong_pins: z.number(),
})
export type OpeningNote = z.infer<typeof openingNote>

/** Opening fields of a share in lists for its owner. */
export const openingOwnerFields = {
  opening: z.enum(OPENINGS),
  has_pin: z.boolean(),
  /** `null` if nothing has been recorded yet. */
  opening_note: z.nullable(openingNote),
  /**
   * Time when the contents of a used-up share that requires confirmation were deleted. The owner still sees the share
   * for a day, but cannot reset it. `null` while the contents exist.
   */
  purged_at: z.optional(z.nullable(instant)),
}
