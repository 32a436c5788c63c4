import { toInstant } from '../../lib/clock.ts'
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

/** Neighbours were often written in the same second, and making the text of an instant is dear. */
function createInstants(): (ms: number) => string {
  let lastMs = Number.NaN
  let text = ''
  return (ms) => {
    if (ms !== lastMs) [lastMs, text] = [ms, toInstant(ms)]
    return text
  }
}

/**
 * An entry as JSON, put together by hand: twice as quick as objects, which counts when there are 50,000.
 * @param base JSON text of the folder's path with a slash at its end, without the closing quote.
 */
function entryText(base: string, entry: Entry, instantOf: (ms: number) => string): string {
  const name = JSON.stringify(entry.name)
  const { modifiedAtMs } = entry
  if (entry.isFolder) {
    const modified = modifiedAtMs === null ? 'null' : `"${instantOf(modifiedAtMs)}"`
    return `{"name":${name},"path":${base}${name.slice(1, -1)}/","isDirectory":true,"isVirtual":false,"size":${entry.sizeBytes},"modified":${modified}}`
  }
  return `{"name":${name},"path":${base}${name.slice(1)},"isDirectory":false,"size":${entry.sizeBytes},"modified":"${instantOf(modifiedAtMs ?? 0)}","etag":${JSON.stringify(entry.etag)}}`
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
    ...(listing.unnamedCount === 0
      ? {}
      : { not_shown: { count: listing.unnamedCount, reason: 'unusable_name' } }),
    ...(listing.nextCursor === undefined ? {} : { next_cursor: listing.nextCursor }),
  })
  yield `{"code":200,"message":"OK","success":true,"data":${head.slice(0, -1)},"items":[`
  const path = folder.path.endsWith('/') ? folder.path : `${folder.path}/`
  const base = JSON.stringify(path).slice(0, -1)
  const instantOf = createInstants()
  let separator = ''
  for (const item of listing.nested) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  for await (const entries of listing.entries) {
    for (let start = 0; start < entries.length; start += PIECE) {
      const items = entries.slice(start, start + PIECE).map((entry) => entryText(base, entry, instantOf))
      yield separator + items.join(',')
      separator = ','
    }
  }
  yield ']}}'
}
