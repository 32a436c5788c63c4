import * as z from 'zod/mini'
import { filename, shareWords, uploadErrors, uploadOptions } from './files.ts'
import { pasteContent, pasteErrors } from './pastes.ts'
import { route } from './route.ts'
import { optionalSlug } from './slugs.ts'

/** A text that comes as the body itself. */
export const shellText = z.object({ content: pasteContent })

/** What one line in a terminal shares: the answer is the link, and a line end. */
export const shellRoutes = {
  file: route({
    method: 'PUT',
    path: '/:filename',
    access: 'file',
    summary:
      'Share a file by `curl -T FILE HOST/`; answers the link of its page. A key may also come in X-Custom-Auth-Key.',
    params: z.object({ filename }),
    query: uploadOptions,
    bodyType: '*',
    replyType: 'text/plain; charset=utf-8',
    status: 201,
    errors: uploadErrors,
  }),
  text: route({
    method: 'POST',
    path: '/',
    access: 'text',
    summary:
      'Share a text by `… | curl --data-binary @- HOST/`, whatever type curl gives it; answers the link of its page. A key may also come in X-Custom-Auth-Key.',
    /** `?plain` keeps it from being shown as Markdown. */
    query: z.object({ slug: optionalSlug, ...shareWords, plain: z.optional(z.string()) }),
    bodyType: '*',
    replyType: 'text/plain; charset=utf-8',
    status: 201,
    errors: [pasteErrors.slug_taken, pasteErrors.content_too_large, pasteErrors.not_text],
  }),
}
