import * as z from 'zod/mini'
import { SHOWN_SLUG_MAX_LENGTH } from './limits.ts'
import { rules } from './rules.ts'

/**
 * Schema helpers for a lenient wire format: numbers can be sent as text, and absent values as `null` or empty text.
 * Input types describe the values that our own client sends; the legacy forms are accepted too.
 */

const NUL = '\u0000'
/** Rejects NUL, which neither SQLite nor PostgreSQL can store in text. */
const withoutNul = z.refine<string>((text) => !text.includes(NUL), rules.noNul)

const emptyToNull = (value: unknown) => (value === undefined || value === '' ? null : value)

const toNumber = (value: unknown) => {
  if (typeof value !== 'string') return value
  const text = value.trim()
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : value
}

function lenient<Output, Input>(
  prepare: (value: unknown) => unknown,
  schema: z.ZodMiniType<Output>,
): z.ZodMiniType<Output, Input> {
  return z.pipe(z.transform(prepare), schema) as unknown as z.ZodMiniType<Output, Input>
}

type OptionalInput<T> = T | null | undefined

/** Returns `absent` for a missing field; passes any other value through `prepare` and `schema`. */
export function optionally<Output, Input>(
  absent: Output,
  prepare: (value: unknown) => unknown,
  schema: z.ZodMiniType<Output>,
): z.ZodMiniType<Output, OptionalInput<Input>> {
  const inner = lenient<Output, Input>(prepare, schema)
  const withDefault: unknown = z._default(inner, absent as never)
  return withDefault as z.ZodMiniType<Output, OptionalInput<Input>>
}

/**
 * Makes a field of {@link optionally} optional in an update. An absent field is `undefined` and stays unchanged; `null`
 * and blank are parsed as `null`.
 */
export function whenPresent<Output, Input>(
  schema: z.ZodMiniType<Output, Input>,
): z.ZodMiniOptional<z.ZodMiniType<Output, Input>> {
  const { innerType } = (schema as unknown as z.ZodMiniDefault)._zod.def
  return z.optional(innerType as unknown as z.ZodMiniType<Output, Input>)
}

/** Untrimmed text of 1 to `maxLength` UTF-16 units. */
export const requiredText = (maxLength: number) =>
  z.string().check(z.minLength(1), z.maxLength(maxLength), withoutNul)

/**
 * Rejects line breaks and bidirectional controls, with which a name could fake a second line or reorder the text around
 * it.
 */
const ofOneLine = z.regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, rules.oneLine)

/** Trimmed single-line text of 1 to `maxLength` UTF-16 units. */
export const trimmedText = (maxLength: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(maxLength), ofOneLine)

/** Trimmed text or `null`. Absent, `null` and blank are parsed as `null`. */
export const optionalText = (maxLength: number) =>
  optionally<string | null, string>(
    null,
    (value) => emptyToNull(typeof value === 'string' ? value.trim() : value),
    z.nullable(z.string().check(z.maxLength(maxLength), withoutNul)),
  )

/** Untrimmed text or `null`, for passwords. */
export const optionalSecret = (maxLength: number) =>
  optionally<string | null, string>(
    null,
    emptyToNull,
    z.nullable(z.string().check(z.maxLength(maxLength), withoutNul)),
  )

interface IntegerBounds {
  readonly min: number
  readonly max: number
}

const boundedInt = ({ min, max }: IntegerBounds) => z.int().check(z.minimum(min), z.maximum(max))

/** An integer, or an integer as text. */
export const wireInt = (bounds: IntegerBounds): z.ZodMiniType<number, number | string> =>
  lenient(toNumber, boundedInt(bounds))

/** Like {@link wireInt}, but truncates decimals. */
export const wireIntCut = (bounds: IntegerBounds): z.ZodMiniType<number, number | string> =>
  lenient((value) => {
    const number = toNumber(value)
    return typeof number === 'number' ? Math.trunc(number) : number
  }, boundedInt(bounds))

/** An integer or `null`. Absent, `null` and empty text are parsed as `null`. */
export const optionalInt = (bounds: IntegerBounds) =>
  optionally<number | null, number | string>(
    null,
    (value) => emptyToNull(toNumber(value)),
    z.nullable(boundedInt(bounds)),
  )

/** An integer, with a default if absent, `null` or empty text. */
export const defaultInt = (bounds: IntegerBounds, fallback: number) =>
  optionally<number, number | string>(
    fallback,
    (value) => emptyToNull(toNumber(value)) ?? fallback,
    boundedInt(bounds),
  )

const toBoolean = (value: unknown) => {
  if (value === 1 || value === '1' || value === 'true') return true
  if (value === 0 || value === '0' || value === 'false' || value === '' || value === null) return false
  return value
}

/** A boolean, which can be sent as 0, 1 or text too. */
export const wireBoolean: z.ZodMiniType<boolean, boolean | 0 | 1 | '0' | '1' | 'true' | 'false'> = lenient(
  toBoolean,
  z.boolean(),
)

/** A boolean that is `false` when absent. */
export const optionalBoolean = optionally<boolean, boolean>(false, (value) => toBoolean(value), z.boolean())

/** A boolean or `null`. Absent, `null` and empty text are parsed as `null`. */
export const optionalFlag = optionally<boolean | null, boolean>(
  null,
  (value) => (value === '' || value === null ? null : toBoolean(value)),
  z.nullable(z.boolean()),
)

/** One of the given values or `null`. Absent, `null` and empty text are parsed as `null`. */
export const optionalChoice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  optionally<Words[number] | null, Words[number]>(null, emptyToNull, z.nullable(z.enum(words)))

/**
 * A date, or a date and time with optional seconds and an optional `Z` or offset. Without `Z` or an offset, the time is
 * UTC.
 */
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

const FIRST_MS = Date.parse('0000-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Rejects days like February 31, which `Date.parse` would accept as a day in March. */
function isCalendarDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/**
 * Parses an instant to milliseconds since 1970. Accepts `2030-01-31`, `2030-01-31 10:00:00` (UTC), and ISO 8601 with
 * `Z` or an offset. Returns `undefined` for invalid text and for years before 0 or after 9999.
 */
export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined
  const iso = text.includes(' ') ? text.replace(' ', 'T') : text
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) || !iso.includes('T')
  const ms = Date.parse(hasZone ? iso : `${iso}Z`)
  const day = iso.slice(0, 'yyyy-mm-dd'.length)
  return isCalendarDay(day) && ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined
}

/** An instant in milliseconds since 1970, or `null` for never. Absent, `null` and empty text are parsed as `null`. */
export const optionalInstant = optionally<number | null, string>(
  null,
  emptyToNull,
  z.nullable(
    z.pipe(
      z.string().check(z.refine((text) => parseInstant(text) !== undefined, rules.instant)),
      z.transform((text: string) => parseInstant(text) ?? 0),
    ),
  ),
)

/** An instant in a reply, in ISO 8601 with milliseconds and `Z`. */
export const instant = z.string()

/** A boolean in list rows, as 0 or 1. */
export const bit = z.union([z.literal(0), z.literal(1)])

/** An ID or link suffix in a URL path. Accepts any text of limited length, so that an unknown value results in 404. */
export const pathId = z.string().check(z.maxLength(SHOWN_SLUG_MAX_LENGTH), withoutNul)
export const idParams = z.object({ id: pathId })
export const slugParams = z.object({ slug: pathId })

/** Query fields for a page of `limit` rows, starting at `offset`. */
export const offsetPage = (defaultLimit: number, maxLimit: number) => ({
  limit: defaultInt({ min: 1, max: maxLimit }, defaultLimit),
  offset: defaultInt({ min: 0, max: Number.MAX_SAFE_INTEGER }, 0),
})
