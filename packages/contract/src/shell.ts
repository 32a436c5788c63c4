import * as z from 'zod/mini'
import { defineErrors } from './errors.ts'
import { uploadErrors } from './file-errors.ts'
import { filename, shareWords, uploadOptions } from './file-uploads.ts'
import { EXPIRES_IN_MAX_HOURS } from './limits.ts'
import { pasteContent, pasteErrors } from './pastes.ts'
import { route } from './route.ts'
import { optionalSlug } from './slugs.ts'
import { optionally } from './wire.ts'
import { rules } from './rules.ts'

export const shellErrors = defineErrors('shell', {
  /** `curl -F` sends a form, which is neither the text nor the file. */
  form: 415,
  /** What curl reads from a pipe has no name that it could put into the address. */
  name_missing: 400,
  /** Somebody who relies on a limit is not to be answered as if it held. */
  option_unknown: 400,
  /** Nothing came through the pipe. */
  text_empty: 400,
  /** A file of that size may be shared, which `request.too_large` does not say. */
  text_too_large: 413,
})

const HOURS_OF_UNITS = { h: 1, d: 24, w: 168 } as const

/** Hours, also of `7d`; what is no time stays as it is, for the schema to refuse. */
function toHours(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  const [, count, unit = 'h'] = /^(-?\d+)([hdw])?$/.exec(text) ?? []
  return count === undefined ? value : Number(count) * HOURS_OF_UNITS[unit as keyof typeof HOURS_OF_UNITS]
}

/** As of all shares, and in the words of the command line too. */
const expiresIn = optionally<number | null, number | string>(
  null,
  toHours,
  z.nullable(
    z
      .int(rules.shareExpiry)
      .check(z.minimum(-1, rules.shareExpiry), z.maximum(EXPIRES_IN_MAX_HOURS, rules.shareExpiry)),
  ),
)

/** A text that comes as the body itself. */
export const shellText = z.object({ content: pasteContent })

/** What one line in a terminal shares: the answer is the link, and a line end. */
export const shellRoutes = {
  file: route({
    method: 'PUT',
    path: '/:filename',
    access: 'file',
    summary:
      'Share a file by `curl -T FILE HOST/`, or `… | curl -T - HOST/NAME`; answers the link of its page. `expires_in` may be a time like 7d. A key may also come in X-Custom-Auth-Key.',
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
      'Share a text by `… | curl --data-binary @- HOST/`, whatever type curl gives it; answers the link of its page. `expires_in` may be a time like 7d. A key may also come in X-Custom-Auth-Key.',
    /** `?plain` keeps it from being shown as Markdown. */
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
      shellErrors.form,
      shellErrors.option_unknown,
      shellErrors.text_empty,
      shellErrors.text_too_large,
    ],
  }),
}
