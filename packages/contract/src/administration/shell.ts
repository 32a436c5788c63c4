import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { uploadErrors } from '../shares/file-errors.ts'
import { filename, shareWords, uploadOptions } from '../shares/file-uploads.ts'
import { EXPIRES_IN_MAX_HOURS } from '../core/limits.ts'
import { pasteContent, pasteErrors } from '../shares/pastes.ts'
import { route } from '../core/route.ts'
import { shareErrors } from '../shares/opening-fields.ts'
import { optionalSlug } from '../shares/slugs.ts'
import { optionally } from '../core/wire.ts'
import { rules } from '../core/rules.ts'

export const shellErrors = defineErrors('shell', {
  /** This route does not accept forms, which `curl -F` sends. */
  form: 415,
  /** The URL has no file name, for example because curl reads from a pipe. */
  name_missing: 400,
  /** An unknown option is rejected instead of ignored, because the user might rely on it. */
  option_unknown: 400,
  text_empty: 400,
  /**
   * The text is too large, but could be shared as a file. The message suggests this, unlike the message of
   * `request.too_large`.
   */
  text_too_large: 413,
})

const HOURS_OF_UNITS = { h: 1, d: 24, w: 168 } as const

/**
 * Converts durations like `7d`, and numbers of hours as text, to hours; blank text to `null`. Returns any other value
 * unchanged, for the schema to check.
 */
function toHours(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  const [, count, unit = 'h'] = /^(-?\d+)([hdw])?$/.exec(text) ?? []
  return count === undefined ? value : Number(count) * HOURS_OF_UNITS[unit as keyof typeof HOURS_OF_UNITS]
}

/** Accepts the same values as the routes of other shares, and durations like `7d`. */
const expiresIn = optionally<number | null, number | string>(
  null,
  toHours,
  z.nullable(
    z
      .int(rules.shareExpiry)
      .check(z.minimum(-1, rules.shareExpiry), z.maximum(EXPIRES_IN_MAX_HOURS, rules.shareExpiry)),
  ),
)

export const shellText = z.object({ content: pasteContent })

/** Routes for sharing with one command in a terminal. The reply is the link and a line break. */
export const shellRoutes = {
  file: route({
    method: 'PUT',
    path: '/:filename',
    access: 'file',
    summary:
      'Share a file by `curl -T FILE HOST/`, or `… | curl -T - HOST/NAME`; returns the link of its page. `expires_in` may be a duration such as 7d. A key may also be in X-Custom-Auth-Key.',
    params: z.object({ filename }),
    query: z.extend(uploadOptions, { expires_in: expiresIn }),
    bodyType: '*',
    replyType: 'text/plain; charset=utf-8',
    status: 201,
    errors: [...uploadErrors, shellErrors.name_missing, shellErrors.option_unknown],
  }),
  text: route({
    method: 'POST',
    path: '/',
    access: 'text',
    summary:
      'Share a text by `… | curl --data-binary @- HOST/`, whatever its type; returns the link of its page. `expires_in` may be a duration such as 7d. A key may also be in X-Custom-Auth-Key.',
    /** `plain` disables Markdown, unless its value is `0`, `false` or `no`. */
    query: z.object({
      slug: optionalSlug,
      ...shareWords,
      expires_in: expiresIn,
      plain: z.optional(z.string()),
    }),
    bodyType: '*',
    replyType: 'text/plain; charset=utf-8',
    status: 201,
    errors: [
      pasteErrors.slug_taken,
      pasteErrors.content_too_large,
      pasteErrors.not_text,
      shareErrors.pin_needs_ask,
      shareErrors.must_be_sealed,
      shellErrors.form,
      shellErrors.option_unknown,
      shellErrors.text_empty,
      shellErrors.text_too_large,
    ],
  }),
}
