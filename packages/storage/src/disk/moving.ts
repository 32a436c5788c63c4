import { link, lstat, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CopyOptions, ObjectStat } from '../driver.ts'
import { StorageError } from '../errors.ts'
import { parseStorageKey, type StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { toObjectStat } from './object-stat.ts'
import { placeAt, requirePlace, syncFolder } from './place.ts'
import { pruneEmptyFolders } from './removal.ts'
import { type DiskRoot, isPlain, pathOf } from './root.ts'

/**
 * Renames an object without copying bytes; the etag stays the same. With `ifAbsent`, on a file system with hard links,
 * the object briefly has both names, and still has both after a crash. Repeating the call then finishes the move.
 */
export async function moveObject(
  root: DiskRoot,
  from: StorageKey,
  to: StorageKey,
  o: CopyOptions = {},
): Promise<ObjectStat> {
  o.signal?.throwIfAborted()
  const [source, target] = [pathOf(root, from), pathOf(root, to)]
  const { ifAbsent = false, intoFolder } = o
  await requireThere(source, from, 'isFile')
  if (from === to) return statOf(source, from, to)
  if (!(await isSameFile(source, target))) await requirePlace(root, { key: to, ifAbsent })
  await placeAt(root, { key: to, intoFolder }, async () => {
    const [first = source, second = target] = [source, target].sort()
    await root.lock(first, () => root.lock(second, () => rename_(root, { source, target, from, ifAbsent })))
  })
  await pruneSource(root, source)
  return statOf(target, from, to)
}

/** Errors that prevent renaming a folder as a whole. Its files can still be moved one by one. */
const UNMOVABLE = new Set(['EXDEV', 'EBUSY', 'EPERM', 'EACCES'])

/** Renames a folder, including entries whose names cannot be part of a key. See `StorageDriver.moveFolder`. */
export async function moveFolder(
  root: DiskRoot,
  from: StorageKey,
  to: StorageKey,
  { intoFolder }: Pick<CopyOptions, 'intoFolder'> = {},
): Promise<boolean> {
  const key = parseStorageKey(to.slice(0, -1))
  const [source, target] = [join(root.path, from.slice(0, -1)), pathOf(root, key)]
  await requireThere(source, from, 'isDirectory')
  let isMoved = true
  await placeAt(root, { key, intoFolder }, async () => {
    await requireThere(source, from, 'isDirectory')
    // The target must not exist, because `rename` would replace an empty folder.
    await requirePlace(root, { key, ifAbsent: true })
    await rename(source, target).catch((error: unknown) => {
      if (!UNMOVABLE.has(errnoOf(error) ?? '')) throw error
      isMoved = false
    })
  })
  if (!isMoved) return false
  // Syncs entries that arrived while the folder was renamed.
  await syncFolder(root, target)
  await pruneSource(root, source)
  return true
}

/**
 * Prunes the folders above the moved item. An empty folder that cannot be removed stays, because the move itself is
 * done.
 */
async function pruneSource(root: DiskRoot, source: string): Promise<void> {
  try {
    await pruneEmptyFolders(root, dirname(source))
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'storage.denied') throw error
  }
}

async function rename_(
  root: DiskRoot,
  { source, target, from, ifAbsent }: { source: string; target: string; from: StorageKey; ifAbsent: boolean },
): Promise<void> {
  await requireThere(source, from, 'isFile')
  if (!ifAbsent) return rename(source, target)
  if (!(await isSameFile(source, target))) {
    if (!root.canLink) return rename(source, target)
    await link(source, target)
  }
  await unlink(source)
}

/** @throws {StorageError} `storage.not_found` unless the path is a plain file or folder, as `kind` requires */
async function requireThere(path: string, key: StorageKey, kind: 'isFile' | 'isDirectory'): Promise<void> {
  try {
    if ((await isPlain(path)) && (await lstat(path))[kind]()) return
  } catch (error) {
    if (!isMissing(error)) throw translate(error, 'read', key)
  }
  throw new StorageError('storage.not_found', `No object to move at ${JSON.stringify(key)}.`)
}

/** Whether two names are links to one file. An interrupted move leaves two such links. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([lstat(one, { bigint: true }), lstat(other, { bigint: true })])
    return a.isFile() && a.ino === b.ino && a.dev === b.dev
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function statOf(path: string, from: StorageKey, to: StorageKey): Promise<ObjectStat> {
  try {
    return toObjectStat(to, await lstat(path, { bigint: true }))
  } catch (error) {
    throw translate(error, 'read', from)
  }
}
