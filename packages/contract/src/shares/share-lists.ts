import * as z from 'zod/mini'
import { BATCH_IDS_MAX, SHARE_SEARCH_MAX_LENGTH } from '../core/limits.ts'
import { optionalChoice, optionalFlag, optionalText, requiredText } from '../core/wire.ts'

/** Search, filters and sorting for lists of shares. */

/** `over` means expired or used up. */
export const SHARE_STATES = ['active', 'over'] as const
export type ShareState = (typeof SHARE_STATES)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const
export const PASTE_SORTS = ['created', 'expires', 'views', 'slug'] as const
export type PasteSort = (typeof PASTE_SORTS)[number]
export const FILE_SORTS = ['created', 'expires', 'views', 'name', 'size'] as const
export type FileSort = (typeof FILE_SORTS)[number]

export const shareFilter = {
  /** Case-insensitive substring of the link suffix, the remark, the file name or the start of the text. */
  search: optionalText(SHARE_SEARCH_MAX_LENGTH),
  state: optionalChoice(SHARE_STATES),
  protected: optionalFlag,
}
/** Filter for callers who see the shares of all creators. */
export const creatorFilter = { created_by: optionalText(200) }

export const pasteOrder = { sort: optionalChoice(PASTE_SORTS), order: optionalChoice(SORT_ORDERS) }
export const fileOrder = { sort: optionalChoice(FILE_SORTS), order: optionalChoice(SORT_ORDERS) }

/** The parsed form of {@link shareFilter}. */
export interface ShareFilter {
  readonly search: string | null
  readonly state: ShareState | null
  readonly protected: boolean | null
}

/** Position of a page in the list of all matches. */
export const offsetPagination = z.object({
  total: z.number(),
  limit: z.number(),
  offset: z.number(),
  hasMore: z.boolean(),
})

export const batchDeleteBody = z.object({
  ids: z.array(requiredText(200)).check(z.minLength(1), z.maxLength(BATCH_IDS_MAX)),
})

/**
 * `matching` is the number of matches at the time of the request. The task deletes the shares that match when it runs.
 */
export const matchingDeletion = z.object({
  data: z.object({ task_id: z.string(), matching: z.number() }),
})
