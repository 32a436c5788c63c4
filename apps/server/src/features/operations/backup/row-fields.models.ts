import { OPENINGS, rules, SHOWN_SLUG_MAX_LENGTH } from '@dropleaf/contract'
import * as z from 'zod/mini'
import { AppError } from '../../../lib/app-error.ts'
import { messageFor } from '../../../messages/index.ts'

/** Parts that the schemas of several rows have in common. */

/** Returns the reason of a validation error, as text for the operator. */
const wordsOf = (error: unknown): string =>
  error instanceof AppError
    ? messageFor(error.spec.code, 'en', error.params)
    : error instanceof Error
      ? error.message
      : String(error)

/** Builds a schema check from a function that throws. @param fieldOf returns the path of the invalid field */
export const fits =
  <T>(check: (value: T) => unknown, fieldOf: (error: unknown) => string[] = () => []) =>
  (payload: z.core.ParsePayload<T>): void => {
    try {
      check(payload.value)
    } catch (error) {
      const message = wordsOf(error)
      payload.issues.push({ code: 'custom', message, path: fieldOf(error), input: payload.value })
    }
  }
export const text = (maxLength = 4096) =>
  z.string().check(
    z.maxLength(maxLength),
    z.refine((value) => !value.includes('\u0000') && value.isWellFormed()),
  )
export const id = text(100).check(z.minLength(1))
export const instantMs = z.int().check(z.minimum(0))
export const count = z.int().check(z.minimum(0))
export const bit = z.union([z.literal(0), z.literal(1)])
export const stamps = { created_at_ms: instantMs, updated_at_ms: instantMs }
/** Accepts link suffixes that are longer than new ones can be, because CloudPaste allowed longer ones. */
const slug = text(SHOWN_SLUG_MAX_LENGTH).check(z.regex(/^[A-Za-z0-9_-]+$/, rules.slugCharacters))

export const share = {
  id,
  slug,
  remark: z.nullable(text()),
  expires_at_ms: z.nullable(instantMs),
  max_views: z.nullable(count),
  views: count,
  purged_at_ms: z.nullable(instantMs),
  created_by: z.nullable(text()),
  /** This field is absent in backups of earlier versions. */
  opening: z.optional(z.enum(OPENINGS)),
  ...stamps,
}
