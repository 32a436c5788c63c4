import { isUtf8 } from 'node:buffer'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareKeys, isKeySegment, isReservedName } from '../keys.ts'
import { isMissing, translate } from './errors.ts'
import { type DiskRoot, isPlain, MARKER_NAME } from './root.ts'

/** The files and folders in one folder. Symlinks, devices and reserved names are left out. */
export interface FolderContent {
  /** Names in key order. Names of folders end in `/`, as they do in a key (so `a.txt` comes before `a/`). */
  names: readonly string[]
  /** Names that cannot be part of a key. */
  unnamed: readonly string[]
  hasMarker: boolean
}

/** Returns null if the folder does not exist. `folder` is empty for the root, or ends in `/`. */
export type FolderReader = (folder: string) => Promise<FolderContent | null>

/** Maximum number of names cached for all folders; each takes about 100 bytes. */
const CACHED_NAMES_MAX = 200_000

/**
 * Coarsest timestamp precision of a file system (FAT: 2 s). A folder that changed within this time before the read
 * might change again under the same timestamp, so the result is not cached.
 */
const TIME_STEP_NS = 2_000_000_000n

/**
 * Reads folders, and caches the sorted names of recently read folders until the folder's modification time changes. The
 * time to read a page of a large folder then depends only on the size of the page.
 */
export function createFolderReader(root: DiskRoot): FolderReader {
  const cache = new Map<string, { mtimeNs: bigint; content: FolderContent }>()
  let cachedNames = 0

  const forget = (folder: string) => {
    cachedNames -= cache.get(folder)?.content.names.length ?? 0
    cache.delete(folder)
  }
  const keep = (folder: string, mtimeNs: bigint, content: FolderContent) => {
    forget(folder)
    cache.set(folder, { mtimeNs, content })
    cachedNames += content.names.length
    for (const oldest of cache.keys()) {
      if (cachedNames <= CACHED_NAMES_MAX) break
      forget(oldest)
    }
  }

  return async (folder) => {
    const path = join(root.path, folder, '.')
    try {
      const stats = await lstat(path, { bigint: true })
      if (!stats.isDirectory() || !(await isPlain(path))) return null
      const cached = cache.get(folder)
      forget(folder)
      const isFresh = cached?.mtimeNs === stats.mtimeNs
      const content = isFresh ? cached.content : await readFolder(path)
      const isSettled = BigInt(Date.now()) * 1_000_000n - stats.mtimeNs > TIME_STEP_NS
      if (isFresh || isSettled) keep(folder, stats.mtimeNs, content)
      return content
    } catch (error) {
      if (isMissing(error)) return null
      throw translate(error, 'read', folder)
    }
  }
}

async function readFolder(path: string): Promise<FolderContent> {
  const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' })
  const names: string[] = []
  const unnamed: string[] = []
  let hasMarker = false
  for (const entry of entries) {
    if (!(entry.isFile() || entry.isDirectory())) continue
    const name = entry.name.toString()
    if (name === MARKER_NAME) hasMarker = true
    const entryName = entry.isDirectory() ? `${name}/` : name
    if (isUtf8(entry.name) && isKeySegment(name)) names.push(entryName)
    else if (!isReservedName(name)) unnamed.push(entryName)
  }
  return { names: names.sort(compareKeys), unnamed, hasMarker }
}
