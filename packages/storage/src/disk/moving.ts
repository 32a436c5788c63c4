import { link, lstat, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CopyOptions, ObjectStat } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { isMissing, translate } from './errors.ts'
import { toObjectStat } from './object-stat.ts'
import { placeAt, pruneEmptyFolders, requirePlace, syncFolder } from './place.ts'
import { type DiskRoot, isPlain, pathOf } from './root.ts'

/**
 * Gives an object another name; not a byte is copied, and its etag stays. With `ifAbsent` it has both names for a moment,
 * also after a crash: the same call again finishes it.
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
  await requireObject(source, from)
  if (from === to) return statOf(source, from, to)
  if (!(await isSameFile(source, target))) await requirePlace(root, { key: to, ifAbsent })
  await placeAt(root, { key: to, intoFolder }, async () => {
    const [first = source, second = target] = [source, target].sort()
    await root.lock(first, () => root.lock(second, () => rename_(root, { source, target, from, ifAbsent })))
  })
  await syncFolder(root, dirname(source))
  await pruneEmptyFolders(root, dirname(source))
  return statOf(target, from, to)
}

async function rename_(
  root: DiskRoot,
  { source, target, from, ifAbsent }: { source: string; target: string; from: StorageKey; ifAbsent: boolean },
): Promise<void> {
  await requireObject(source, from)
  if (!ifAbsent) return rename(source, target)
  if (!(await isSameFile(source, target))) {
    if (!root.canLink) return rename(source, target)
    await link(source, target)
  }
  await unlink(source)
}

/** @throws {StorageError} `storage.not_found` for everything that is no plain file. */
async function requireObject(path: string, key: StorageKey): Promise<void> {
  try {
    if ((await isPlain(path)) && (await lstat(path)).isFile()) return
  } catch (error) {
    if (!isMissing(error)) throw translate(error, 'read', key)
  }
  throw new StorageError('storage.not_found', `No object ${JSON.stringify(key)}.`)
}

/** Whether two names are of one file: what a move that was cut off leaves. */
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
