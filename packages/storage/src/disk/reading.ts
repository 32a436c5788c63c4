import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ByteRange, ObjectStat, Op, ReadResult } from '../driver.ts'
import { StorageError } from '../errors.ts'
import { isFolderKey, type StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { FileBody } from './file-body.ts'
import type { FolderReader } from './folder-reader.ts'
import { toObjectStat } from './object-stat.ts'
import { type DiskRoot, isPlain, pathOf, requireMounted } from './root.ts'

/** Flags that open a file without following symlinks, and without blocking on a pipe of another program. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Returns the metadata of an object or folder marker. An empty folder without a marker, as other programs create it, is
 * reported like a folder with a marker.
 */
export async function statObject(
  root: DiskRoot,
  readFolder: FolderReader,
  key: StorageKey,
): Promise<ObjectStat | null> {
  const path = pathOf(root, key)
  try {
    const stats = await lstat(path, { bigint: true })
    if (stats.isFile() && (await isPlain(dirname(path)))) return toObjectStat(key, stats)
  } catch (error) {
    if (!isMissing(error)) throw translate(error, 'read', key)
  }
  await requireMounted(root)
  return isFolderKey(key) ? statEmptyFolder(root, readFolder, key) : null
}

/**
 * Returns the time of a folder. Every directory counts as a folder, with or without a marker, unless the directory or a
 * parent is a symlink.
 */
export async function statDirectory(
  root: DiskRoot,
  key: StorageKey,
): Promise<{ modifiedAtMs: number } | null> {
  const path = join(root.path, key.slice(0, -1))
  try {
    const stats = await lstat(path)
    if (stats.isDirectory() && (await isPlain(path))) return { modifiedAtMs: Math.floor(stats.mtimeMs) }
  } catch (error) {
    if (!isMissing(error)) throw translate(error, 'read', key)
  }
  await requireMounted(root)
  return null
}

async function statEmptyFolder(root: DiskRoot, readFolder: FolderReader, key: StorageKey) {
  const content = await readFolder(key)
  if (content === null || content.names.length > 0) return null
  try {
    const stats = await lstat(join(root.path, key), { bigint: true })
    return { ...toObjectStat(key, stats), sizeBytes: 0 }
  } catch (error) {
    if (isMissing(error)) return null
    throw translate(error, 'read', key)
  }
}

/** Opens an object's file. @throws {StorageError} `storage.not_found` unless it is a plain file. */
async function openObject(root: DiskRoot, key: StorageKey) {
  const path = pathOf(root, key)
  let handle: FileHandle | null = null
  try {
    if (!(await isPlain(dirname(path)))) throw notFound(key)
    handle = await open(path, READ_FLAGS)
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw notFound(key)
    return { handle, stat: toObjectStat(key, stats) }
  } catch (error) {
    await handle?.close()
    if (isMissing(error) || error instanceof StorageError) await requireMounted(root)
    throw errnoOf(error) === 'ELOOP' ? notFound(key) : translate(error, 'read', key)
  }
}

export async function readObject(
  root: DiskRoot,
  key: StorageKey,
  o: Op & { range?: ByteRange | undefined } = {},
): Promise<ReadResult> {
  o.signal?.throwIfAborted()
  const { handle, stat } = await openObject(root, key)
  try {
    const range = o.range ? clampRange(o.range, stat.sizeBytes) : null
    const first = range?.firstByte ?? 0
    const last = range?.lastByte ?? stat.sizeBytes - 1
    if (last < first) {
      await handle.close()
      return { body: Readable.from([]), stat, range }
    }
    const body = new FileBody(handle, { firstByte: first, lastByte: last }, o)
    return { body, stat, range }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function clampRange({ firstByte, lastByte }: ByteRange, sizeBytes: number): ByteRange {
  const isRange = Number.isSafeInteger(firstByte) && firstByte >= 0 && lastByte >= firstByte
  if (isRange && firstByte < sizeBytes) return { firstByte, lastByte: Math.min(lastByte, sizeBytes - 1) }
  throw new StorageError(
    'storage.range',
    `No bytes ${firstByte} to ${lastByte} in an object of ${sizeBytes}.`,
  )
}

function notFound(key: StorageKey): StorageError {
  return new StorageError('storage.not_found', `No object ${JSON.stringify(key)}.`)
}
