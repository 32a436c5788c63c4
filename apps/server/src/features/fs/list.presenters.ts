import { toInstant, toInstantOrNull } from '../../lib/clock.ts'
import type { Entry } from './list.models.ts'
import type { OpenFolder, RealListing, VirtualListing } from './listing.usecases.ts'

/** Entries whose text is put together at once: about 100 kB. */
const PIECE = 500

/** A level that no storage has, as the contract's `data`. */
export const presentVirtual = ({ path, items, isPage }: VirtualListing) => ({
  path,
  isDirectory: true as const,
  isVirtual: true as const,
  items: [...items],
  ...(isPage ? { next_cursor: null } : {}),
})

/** @param base path of the folder, with a slash at its end. */
function presentEntry(base: string, entry: Entry) {
  const { name, sizeBytes: size } = entry
  if (entry.isFolder) {
    const modified = toInstantOrNull(entry.modifiedAtMs)
    return { name, path: `${base}${name}/`, isDirectory: true, isVirtual: false, size, modified }
  }
  const modified = toInstant(entry.modifiedAtMs ?? 0)
  return { name, path: base + name, isDirectory: false, size, modified, etag: entry.etag }
}

/**
 * The whole answer as JSON, envelope included, piece by piece: a folder may hold more than should be in memory at once. It
 * has the form that the contract declares; a test holds the two together.
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
    ...(listing.nextCursor === undefined ? {} : { next_cursor: listing.nextCursor }),
  })
  yield `{"code":200,"message":"OK","success":true,"data":${head.slice(0, -1)},"items":[`
  const base = folder.path.endsWith('/') ? folder.path : `${folder.path}/`
  let separator = ''
  for (const item of listing.nested) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  for await (const entries of listing.entries) {
    for (let start = 0; start < entries.length; start += PIECE) {
      const items = entries.slice(start, start + PIECE).map((entry) => presentEntry(base, entry))
      yield separator + JSON.stringify(items).slice(1, -1)
      separator = ','
    }
  }
  yield ']}}'
}
