import * as z from 'zod/mini'
import { PAGE_SIZE_MAX } from '../core/limits.ts'
import { route } from '../core/route.ts'
import { instant, offsetPage, optionalChoice } from '../core/wire.ts'
import { openingOwnerFields } from '../shares/opening-fields.ts'
import { creatorFilter, offsetPagination, shareFilter, SORT_ORDERS } from '../shares/share-lists.ts'

export const SHARE_KINDS = ['text', 'file', 'bundle'] as const
export type ShareKind = (typeof SHARE_KINDS)[number]
export const SHARE_SORTS = ['created', 'expires', 'views'] as const
export type ShareSort = (typeof SHARE_SORTS)[number]

const listedShare = z.object({
  kind: z.enum(SHARE_KINDS),
  id: z.string(),
  slug: z.string(),
  url: z.string(),
  /** Remark of a text, name of a file, title of a bundle; `null` if there is none. */
  title: z.nullable(z.string()),
  remark: z.nullable(z.string()),
  /** Size in bytes; `null` for a text. */
  size: z.nullable(z.number()),
  /**
   * Number of items of a bundle; `null` for other kinds, and for sealed bundles, whose items the server cannot count.
   */
  item_count: z.nullable(z.number()),
  created_at: instant,
  expires_at: z.nullable(instant),
  max_views: z.nullable(z.number()),
  views: z.number(),
  has_password: z.boolean(),
  /** Version of the format of a sealed bundle; `null` for everything that the server can read. */
  sealed: z.nullable(z.number()),
  created_by: z.nullable(z.string()),
  key_name: z.optional(z.string()),
  ...openingOwnerFields,
})
export type ListedShare = z.infer<typeof listedShare>

export const shareRoutes = {
  list: route({
    method: 'GET',
    path: '/api/shares',
    access: 'identity',
    summary:
      'Texts, files and bundles of the caller in one list, newest first; those of everyone for an admin. Keys see the kinds that they may make.',
    query: z.object({
      kind: optionalChoice(SHARE_KINDS),
      ...shareFilter,
      ...creatorFilter,
      sort: optionalChoice(SHARE_SORTS),
      order: optionalChoice(SORT_ORDERS),
      ...offsetPage(50, PAGE_SIZE_MAX),
    }),
    reply: z.object({ data: z.object({ shares: z.array(listedShare), pagination: offsetPagination }) }),
    errors: [],
  }),
}
