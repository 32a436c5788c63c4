import type { RealFolder, VirtualFolder } from '@dropleaf/contract'
import { ApiError } from '../../../lib/api-error.ts'
import type { Entry, SortOrder } from './entries.ts'
import { toEntry } from './entries.ts'

/** Entries that are shown before the others have come. */
export const FIRST_PAGE = 300

/** Orders that the browser makes by itself, of entries as the storage has them. */
export const isQuick = ({ sort }: SortOrder): boolean => sort === 'name' || sort === 'type'

/** What asks for the beginning of a folder: in the wished order, or for names in the order that is quickest. */
export function firstPageQuery(path: string, { sort, order }: SortOrder) {
  const page = { path, limit: FIRST_PAGE }
  return sort === 'name' || sort === 'type' ? page : { ...page, sort, order }
}

export interface Listing {
  readonly path: string
  /** By natural name order once it is complete. */
  readonly entries: readonly Entry[]
  /** A level above mounts: nothing can be put there. */
  readonly isVirtual: boolean
  /** Whether these are all entries. */
  readonly isComplete: boolean
  /** How many more the storage holds here, whose names no path can say. */
  readonly notShownCount: number
}

/** @throws {ApiError} `fs.not_found` for a level that leads to no mount: the server calls it empty, as others did before */
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
  // Before the storage was seen as a whole, nothing is what nobody has counted.
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
