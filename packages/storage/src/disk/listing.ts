import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderStat, ListPage, ListQuery, ObjectStat, Op } from '../driver.ts'
import { StorageError } from '../errors.ts'
import { compareKeys, KEY_MAX_BYTES, parseListPrefix, type StorageKey } from '../keys.ts'
import { mapBounded } from '../concurrency.ts'
import { isMissing, translate } from './errors.ts'
import type { FolderReader } from './folder-reader.ts'
import { toObjectStat } from './object-stat.ts'
import { type DiskRoot, requireMounted } from './root.ts'

/**
 * Maximum number of concurrent stat calls for one page. It is high, because in a busy process each round takes up to
 * 0.2 s to be scheduled, while the disk responds in microseconds.
 */
const STATS_AT_ONCE = 100

interface Listing {
  root: DiskRoot
  readFolder: FolderReader
  /** Returns the stat of a folder marker, or null. */
  statMarker: (key: StorageKey) => Promise<ObjectStat | null>
}

/** See `StorageDriver.list`. A page reads the names of the folders on its path, and stats only its own entries. */
export async function listObjects(listing: Listing, query: ListQuery, o: Op = {}): Promise<ListPage> {
  const { folder, nameStart } = parseListPrefix(query.prefix)
  if (!Number.isInteger(query.limit) || query.limit < 1) throw new RangeError('A page has 1 entry or more.')
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, query.prefix)
  const isRecursive = query.delimiter === undefined
  await requireMounted(listing.root)
  const keys: string[] = []
  const unnamed: string[] = []
  let nextCursor: string | null = null
  for await (const found of walk(listing.readFolder, { folder, nameStart, after, isRecursive })) {
    o.signal?.throwIfAborted()
    if (keys.length === query.limit) {
      nextCursor = encodeCursor(keys.at(-1) ?? '')
      break
    }
    if (typeof found === 'string') keys.push(found)
    else unnamed.push(found.unnamed)
  }
  return { ...(await statAll(listing, keys, isRecursive)), unnamed, nextCursor }
}

interface Walk {
  folder: string
  nameStart: string
  after: string | null
  isRecursive: boolean
}

/**
 * Yields the keys below a folder that sort after `after`, in order. Keys of folders and folder markers end in `/`.
 * Names that cannot be part of a key come first in their folder; a page that continues inside the folder does not
 * repeat them. A name whose key would be too long comes in its order.
 */
async function* walk(
  readFolder: FolderReader,
  from: Walk,
): AsyncGenerator<string | { readonly unnamed: string }> {
  const { folder, nameStart, after, isRecursive } = from
  const content = await readFolder(folder)
  if (content === null) return
  if (after === null || !after.startsWith(folder))
    for (const name of content.unnamed) if (name.startsWith(nameStart)) yield { unnamed: folder + name }
  const isAfter = (key: string) => after === null || compareKeys(key, after) > 0
  const isMarked = content.hasMarker || content.names.length === 0
  if (isRecursive && folder !== '' && nameStart === '' && isMarked && isAfter(folder)) yield folder

  const rest = after?.startsWith(folder) ? after.slice(folder.length) : ''
  const resumeName = rest.slice(0, rest.indexOf('/') + 1) || rest
  const firstName = compareKeys(nameStart, resumeName) > 0 ? nameStart : resumeName
  for (let index = lowerBound(content.names, firstName); index < content.names.length; index += 1) {
    const name = content.names[index] ?? ''
    if (!name.startsWith(nameStart)) return
    const key = folder + name
    if (Buffer.byteLength(key) > KEY_MAX_BYTES) {
      if (isAfter(key)) yield { unnamed: key }
    } else if (isRecursive && name.endsWith('/')) {
      yield* walk(readFolder, { folder: key, nameStart: '', after, isRecursive })
    } else if (isAfter(key)) {
      yield key
    }
  }
}

/** Index of the first name that does not sort before `name`. */
function lowerBound(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareKeys(names[middle] ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return low
}

async function statAll({ root, statMarker }: Listing, keys: readonly string[], isRecursive: boolean) {
  const objects: ObjectStat[] = []
  const folders: FolderStat[] = []
  const statOne = async (text: string) => {
    const key = text as StorageKey
    if (isRecursive && key.endsWith('/')) return statMarker(key)
    try {
      const stats = await lstat(join(root.path, key), { bigint: true })
      return stats.isFile() || stats.isDirectory() ? toObjectStat(key, stats) : null
    } catch (error) {
      if (isMissing(error)) return null
      throw translate(error, 'read', key)
    }
  }
  for (const stat of await mapBounded(keys, STATS_AT_ONCE, statOne)) {
    if (stat === null) continue
    const isFolder = !isRecursive && stat.key.endsWith('/')
    if (isFolder) folders.push({ key: stat.key, modifiedAtMs: stat.modifiedAtMs })
    else objects.push(stat)
  }
  return { objects, folders }
}

function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}

function decodeCursor(cursor: string, prefix: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (key !== '' && key.startsWith(prefix)) return key
  throw new StorageError('storage.invalid_key', 'The cursor belongs to another listing.')
}
