import { toInstant } from '../../../../lib/clock.ts'
import type { Entry } from './list.models.ts'
import type { OpenFolder, RealListing, VirtualListing } from './listing.usecases.ts'

/** Number of entries serialized at once, about 100 kB. */
const PIECE = 500

export const presentVirtual = ({ path, items, isPage }: VirtualListing) => ({
  path,
  isDirectory: true as const,
  isVirtual: true as const,
  items: [...items],
  ...(isPage ? { next_cursor: null } : {}),
})

const presentEntry = (folder: string, entry: Entry) =>
  entry.isFolder
    ? {
        name: entry.name,
        path: `${folder}${entry.name}/`,
        isDirectory: true as const,
        isVirtual: false as const,
        size: entry.sizeBytes,
        modified: entry.modifiedAtMs === null ? null : toInstant(entry.modifiedAtMs),
      }
    : {
        name: entry.name,
        path: folder + entry.name,
        isDirectory: false as const,
        size: entry.sizeBytes,
        modified: toInstant(entry.modifiedAtMs ?? 0),
        etag: entry.etag,
      }

/**
 * Yields the JSON of the whole response in chunks, since a folder can be too large for memory. A test validates the
 * output against the contract.
 */
export async function* listingText(folder: OpenFolder, listing: RealListing): AsyncGenerator<string> {
  const head = JSON.stringify({
    path: folder.path,
    type: 'directory',
    isRoot: false,
    isVirtual: false,
    mount_id: folder.mount.id,
    storage_type: folder.mount.storage_type,
    size_complete: listing.isSizeComplete,
    ...(listing.unnamedCount === 0
      ? {}
      : { not_shown: { count: listing.unnamedCount, reason: 'unusable_name' } }),
    ...(listing.nextCursor === undefined ? {} : { next_cursor: listing.nextCursor }),
  })
  yield `{"code":200,"message":"OK","success":true,"data":${head.slice(0, -1)},"items":[`
  const path = folder.path.endsWith('/') ? folder.path : `${folder.path}/`
  const textOf = (items: readonly object[]) => JSON.stringify(items).slice(1, -1)
  let separator = ''
  if (listing.nested.length > 0) {
    yield textOf(listing.nested)
    separator = ','
  }
  for await (const entries of listing.entries) {
    for (let start = 0; start < entries.length; start += PIECE) {
      yield separator + textOf(entries.slice(start, start + PIECE).map((entry) => presentEntry(path, entry)))
      separator = ','
    }
  }
  yield ']}}'
}
