import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { rules } from '../core/rules.ts'
import { instant, optionalChoice, optionally } from '../core/wire.ts'

/** How a share opens: `direct` shows its contents to every request, `ask` only after a person asked for them. */
export const OPENINGS = ['direct', 'ask'] as const
export type Opening = (typeof OPENINGS)[number]

export const shareErrors = defineErrors('share', {
  /** The share shows nothing to a mere request. No view was used. */
  ask_first: 428,
  /** The intent was used before its time, and is spent. */
  too_early: 425,
  /** The intent is unknown, spent, expired, or belongs to another share. */
  intent_invalid: 403,
  /** The caller behaved like a scanner: it gets no intents of this share for a while. */
  automated: 403,
  pin_missing: 401,
  pin_wrong: 401,
  /** A share with a PIN cannot open directly. */
  pin_needs_ask: 400,
})

const PIN = /^\d{4,8}$/

/** Fields of a share that say how it opens. Absent: `direct`, without a PIN. */
export const openingWords = {
  opening: optionalChoice(OPENINGS),
  /** 4 to 8 digits, asked for on opening. */
  pin: optionally<string | null, string>(
    null,
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    z.nullable(z.string().check(z.regex(PIN, rules.pin))),
  ),
}

/** What the owner of a share sees of its opening. */
const openingNote = z.object({
  /** How often a preview or a program looked. None of them used a view. */
  previews: z.number(),
  previewed_at: z.nullable(instant),
  /** The program that looked last, if its name is known. */
  previewed_by: z.nullable(z.string()),
  /** The last opening. */
  opened_at: z.nullable(instant),
  wrong_pins: z.number(),
})
export type OpeningNote = z.infer<typeof openingNote>

/** Fields of a share in its owner's lists. */
export const openingOwnerFields = {
  opening: z.enum(OPENINGS),
  has_pin: z.boolean(),
  /** `null` as long as nothing happened. */
  opening_note: z.nullable(openingNote),
}
