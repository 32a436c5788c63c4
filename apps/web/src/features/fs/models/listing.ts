import type { RealFolder, VirtualFolder } from '@dropleaf/contract'
import { ApiError } from '../../../lib/api-error.ts'
import type { Entry, SortOrder } from './entries.ts'
import { toEntry } from './entries.ts'

/** Number of entries that are shown before the rest is loaded. */
export const FIRST_PAGE = 300

/** Whether the first page is requested without a sort order. */
export const isQuick = ({ sort }: SortOrder): boolean => sort === 'name' || sort === 'type'

/**
 * Query for the first page of a folder. Leaves out a sort by name or type, because the server's default order is the
 * fastest. The browser then sorts the page itself.
 */
export function firstPageQuery(path: string, { sort, order }: SortOrder) {
  const page = { path, limit: FIRST_PAGE }
  return sort === 'name' || sort === 'type' ? page : { ...page, sort, order }
}

export interface Listing {
  readonly path: string
  /**
   * Entries of the folder. Once the listing is complete, folders come first, and the entries are sorted by name.
   * Numbers in names are compared by value.
   */
  readonly entries: readonly Entry[]
  /** Whether the folder is above mounts, and therefore read-only. */
  readonly isVirtual: boolean
  readonly isComplete: boolean
  /** Number of objects whose names are not valid paths. */
  readonly notShownCount: number
}

/**
 * Converts a response to a listing.
 * @throws {ApiError} `fs.not_found` for a folder, other than the root, that is in no mount and contains none. For
 * compatibility, the server returns an empty folder in this case.
 */
export function toListing(data: RealFolder | VirtualFolder, path: string): Listing {
  if (data.isVirtual && data.items.length === 0 && path !== '/')
    throw new ApiError({
      kind: 'http',
      status: 404,
      code: 'fs.not_found',
      message: 'No mount lies below it.',
    })
  const isComplete = data.next_cursor === undefined || data.next_cursor === null
  const isKnown = data.isVirtual || data.size_complete
  // Before a storage has an index, a folder size of 0 means that the size is unknown.
  const withSize = (entry: Entry) =>
    !isKnown && entry.isFolder && entry.sizeBytes === 0 ? { ...entry, sizeBytes: null } : entry
  return {
    path,
    entries: data.items.map((item) => withSize(toEntry(item))),
    isVirtual: data.isVirtual,
    isComplete,
    notShownCount: data.isVirtual ? 0 : (data.not_shown?.count ?? 0),
  }
}
