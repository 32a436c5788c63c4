import * as z from 'zod/mini'
import { PASTE_CONTENT_TYPES } from './content-types.ts'
import { shareErrors } from './opening-fields.ts'
import { pasteErrors } from './pastes.ts'
import { route } from '../core/route.ts'
import { idParams, instant, pathId } from '../core/wire.ts'

/** Earlier versions of a text share, for its owner only. */

const revision = {
  id: z.string(),
  content_type: z.enum(PASTE_CONTENT_TYPES),
  /** Time when this version was saved. */
  created_at: instant,
  /** Time when the next version replaced this version. */
  replaced_at: instant,
  /** Size in bytes of UTF-8. */
  size: z.number(),
}
const listedRevision = z.object(revision)
const wholeRevision = z.object({ ...revision, content: z.string() })
export type ListedRevision = z.infer<typeof listedRevision>

const revisionParams = z.object({ id: pathId, revision: pathId })

export const pasteRevisionRoutes = {
  list: route({
    method: 'GET',
    path: '/api/pastes/:id/revisions',
    access: 'text',
    summary: 'Earlier versions of an own text by id or slug, newest first; those of every text for an admin.',
    params: idParams,
    reply: z.object({ data: z.array(listedRevision) }),
    errors: [pasteErrors.not_found],
  }),
  read: route({
    method: 'GET',
    path: '/api/pastes/:id/revisions/:revision',
    access: 'text',
    summary: 'One earlier version with its text.',
    params: revisionParams,
    reply: z.object({ data: wholeRevision }),
    errors: [pasteErrors.not_found, pasteErrors.revision_not_found],
  }),
  restore: route({
    method: 'POST',
    path: '/api/pastes/:id/revisions/:revision/restore',
    access: 'text',
    summary:
      'Restore an earlier version. The current text becomes an earlier version; everything else stays.',
    params: revisionParams,
    reply: z.object({ data: z.object({ id: z.string(), slug: z.string() }) }),
    errors: [
      pasteErrors.not_found,
      pasteErrors.expired,
      pasteErrors.used_up,
      pasteErrors.revision_not_found,
      pasteErrors.changed,
      shareErrors.must_be_sealed,
    ],
  }),
  forget: route({
    method: 'DELETE',
    path: '/api/pastes/:id/revisions',
    access: 'text',
    summary: 'Remove all earlier versions for good.',
    params: idParams,
    reply: z.object({ data: z.object({ deleted: z.number() }) }),
    errors: [pasteErrors.not_found],
  }),
}
