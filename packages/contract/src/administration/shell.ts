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
  /** `curl -F` sends a form, which this route does not accept. */
  form: 415,
  /** Curl adds no file name to the URL if it reads from a pipe. */
  name_missing: 400,
  /** An unknown option is rejected, because the user may rely on it. */
  option_unknown: 400,
  /** The pipe delivered no bytes. */
  text_empty: 400,
  /** A file of that size may be shared; `request.too_large` does not say so. */
  text_too_large: 413,
})

const HOURS_OF_UNITS = { h: 1, d: 24, w: 168 } as const

/** Converts `7d` to hours. Anything that is not a duration stays as it is, for the schema to reject. */
function toHours(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  const [, count, unit = 'h'] = /^(-?\d+)([hdw])?$/.exec(text) ?? []
  return count === undefined ? value : Number(count) * HOURS_OF_UNITS[unit as keyof typeof HOURS_OF_UNITS]
}

/** Accepts the values that all shares accept, and the values of the command line. */
const expiresIn = optionally<number | null, number | string>(
  null,
  toHours,
  z.nullable(
    z
      .int(rules.shareExpiry)
      .check(z.minimum(-1, rules.shareExpiry), z.maximum(EXPIRES_IN_MAX_HOURS, rules.shareExpiry)),
  ),
)

/** A text sent as the body itself. */
export const shellText = z.object({ content: pasteContent })

/** Sharing with one command in a terminal. The reply is the link and a line feed. */
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
    /** `?plain` disables Markdown. */
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
      shellErrors.form,
      shellErrors.option_unknown,
      shellErrors.text_empty,
      shellErrors.text_too_large,
    ],
  }),
}
