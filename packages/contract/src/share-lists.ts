import * as z from 'zod/mini'
import { BATCH_IDS_MAX, SHARE_SEARCH_MAX_LENGTH } from './limits.ts'
import { optionalChoice, optionalFlag, optionalText, requiredText } from './wire.ts'

/** How lists of shares are searched, narrowed and sorted: the same for texts and files. */

/** `over`: expired or used up. */
export const SHARE_STATES = ['active', 'over'] as const
export type ShareState = (typeof SHARE_STATES)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const
export const PASTE_SORTS = ['created', 'expires', 'views', 'slug'] as const
export type PasteSort = (typeof PASTE_SORTS)[number]
export const FILE_SORTS = ['created', 'expires', 'views', 'name', 'size'] as const
export type FileSort = (typeof FILE_SORTS)[number]

/** Narrows a list to what its user means. */
export const shareFilter = {
  /** A part of the link suffix, the remark, and the name or the beginning of the text, in any case. */
  search: optionalText(SHARE_SEARCH_MAX_LENGTH),
  state: optionalChoice(SHARE_STATES),
  /** Whether it has a password. */
  protected: optionalFlag,
}
/** For those who see the shares of all. */
export const creatorFilter = { created_by: optionalText(200) }

export const pasteOrder = { sort: optionalChoice(PASTE_SORTS), order: optionalChoice(SORT_ORDERS) }
export const fileOrder = { sort: optionalChoice(FILE_SORTS), order: optionalChoice(SORT_ORDERS) }

/** What {@link shareFilter} reads. */
export interface ShareFilter {
  readonly search: string | null
  readonly state: ShareState | null
  readonly protected: boolean | null
}

/** Where a page stands among all that matches. */
export const offsetPagination = z.object({
  total: z.number(),
  limit: z.number(),
  offset: z.number(),
  hasMore: z.boolean(),
})

export const batchDeleteBody = z.object({
  ids: z.array(requiredText(200)).check(z.minLength(1), z.maxLength(BATCH_IDS_MAX)),
})

/** How many matched when the deletion was asked for; what matches when it runs is what goes. */
export const matchingDeletion = z.object({
  data: z.object({ task_id: z.string(), matching: z.number() }),
})
