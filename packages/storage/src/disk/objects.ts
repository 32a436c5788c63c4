import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { meter, requireFits, requireWhole, takeHead, withBody } from '../body.ts'
import { mapBounded } from '../concurrency.ts'
import type {
  Body,
  ByteRange,
  CopyOptions,
  ObjectStat,
  Op,
  ReadResult,
  RemoveResult,
  WriteOptions,
} from '../driver.ts'
import { StorageError } from '../errors.ts'
import { isFolderKey, type StorageKey } from '../keys.ts'
import { errnoOf, isMissing, translate } from './errors.ts'
import { FileBody } from './file-body.ts'
import type { FolderReader } from './folder-reader.ts'
import { toObjectStat } from './object-stat.ts'
import { place, type Placement, pruneEmptyFolders, requirePlace } from './place.ts'
import { type DiskRoot, isPlain, pathOf, requireMounted } from './root.ts'
import { settleSmallFiles, SMALL_MAX_BYTES, storeSmallFile } from './small-files.ts'
import { receive, seal, withTemporaryFile } from './temporary.ts'

const REMOVALS_AT_ONCE = 16
/** Not through a symlink, and not waiting for the other end of a pipe that somebody put there. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** A folder without a marker and without anything in it was made by another program: it counts as marked. */
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

/** Every directory is a folder: one without anything in it counts as marked. */
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

/** Opens an object's file. @throws {StorageError} `storage.not_found` for everything that is no plain file. */
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

export async function writeObject(
  root: DiskRoot,
  key: StorageKey,
  body: Body,
  o: WriteOptions = {},
): Promise<ObjectStat> {
  const { ifAbsent = false, ifMatch, intoFolder } = o
  const placement = { key, ifAbsent, ifMatch, intoFolder }
  const maxBytes = isFolderKey(key) ? 0 : (o.maxBytes ?? Infinity)
  if (Buffer.isBuffer(body)) {
    o.signal?.throwIfAborted()
    requireWhole(body, { ...o, maxBytes })
    if (body.length <= SMALL_MAX_BYTES) return writeSmall(root, body, placement)
    return writeObject(root, key, Readable.from([body]), o)
  }
  return withBody(
    body,
    async () => {
      o.signal?.throwIfAborted()
      requireFits({ ...o, maxBytes })
      const chunks = meter(body, { ...o, maxBytes })
      const { sizeBytes = Infinity } = o
      // What comes at once is refused at once, too.
      if (sizeBytes > SMALL_MAX_BYTES) await requirePlace(root, placement)
      const { head, isWhole } = await takeHead(chunks, SMALL_MAX_BYTES)
      return isWhole
        ? writeSmall(root, Buffer.concat(head), placement)
        : writeLarge(root, rejoined(head, chunks), placement)
    },
    o.signal,
  )
}

async function* rejoined(head: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* head
  yield* rest
}

function writeLarge(
  root: DiskRoot,
  chunks: AsyncIterable<Buffer>,
  placement: Placement,
): Promise<ObjectStat> {
  return withTemporaryFile(root, async (file) => {
    await receive(chunks, file)
    const stats = await seal(file)
    await place(root, file.path, placement)
    return toObjectStat(placement.key, stats)
  })
}

/** Through the thread of small files: all at once, unless a condition or missing folders are to be seen to first. */
async function writeSmall(root: DiskRoot, bytes: Buffer, placement: Placement): Promise<ObjectStat> {
  const { key, ifAbsent, ifMatch } = placement
  const temporary = join(root.temporary, randomUUID())
  const name = pathOf(root, key)
  const isAtOnce = ifMatch === undefined && (!ifAbsent || root.canLink)
  const room = root.room.take(bytes.length)
  if (room) await room
  if (!isAtOnce) await requirePlace(root, placement)
  const store = () =>
    storeSmallFile({
      temporary,
      bytes,
      target: isAtOnce ? name : null,
      isNew: ifAbsent,
      syncs: root.syncs,
      journal: root.journal,
    })
  const { stats, isShown } = await (isAtOnce ? root.lock(name, store) : store()).catch(
    async (error: unknown) => {
      await requireMounted(root)
      throw translate(error, 'write', key)
    },
  )
  if (isShown) return toObjectStat(key, stats)
  try {
    await place(root, temporary, placement)
  } finally {
    await rm(temporary, { force: true })
  }
  return toObjectStat(key, stats)
}

/** A file of its own, streamed, so that memory stays flat and the signal is heard. */
export async function copyObject(
  root: DiskRoot,
  from: StorageKey,
  to: StorageKey,
  o: CopyOptions = {},
): Promise<ObjectStat> {
  const { body, stat } = await readObject(root, from)
  return writeObject(root, to, body, { ...o, sizeBytes: stat.sizeBytes })
}

export async function removeObjects(
  root: DiskRoot,
  keys: readonly StorageKey[],
  o: Op = {},
): Promise<RemoveResult> {
  o.signal?.throwIfAborted()
  const failed: RemoveResult['failed'] = []
  try {
    await requireMounted(root)
  } catch (error) {
    for (const key of keys) failed.push({ key, error: translate(error, 'write', key) })
    return { removed: 0, failed }
  }
  const removeOne = async (key: StorageKey) => {
    o.signal?.throwIfAborted()
    try {
      const path = pathOf(root, key)
      await root.lock(path, () => removeFile(root, path))
    } catch (error) {
      failed.push({ key, error: translate(error, 'write', key) })
    }
  }
  await mapBounded(keys, REMOVALS_AT_ONCE, removeOne)
  const folders = new Set(keys.map((key) => dirname(pathOf(root, key))))
  await mapBounded([...folders], REMOVALS_AT_ONCE, async (folder) => {
    try {
      await pruneEmptyFolders(root, folder)
    } catch (thrown) {
      const error = translate(thrown, 'write', folder)
      // What could not be removed is the folder alone then.
      const isFolderOnly = error.code === 'storage.denied'
      const inIt = keys.filter((key) => dirname(pathOf(root, key)) === folder)
      for (const key of inIt.filter((one) => !failed.some((known) => known.key === one)))
        if (isFolderKey(key) || !isFolderOnly) failed.push({ key, error })
    }
  })
  return { removed: keys.length - failed.length, failed }
}

/** Removes a plain file; anything else under the name is no object, so there is nothing to remove. */
async function removeFile(root: DiskRoot, path: string): Promise<void> {
  try {
    if (!(await isPlain(path)) || !(await lstat(path)).isFile()) return
    await settleSmallFiles(root.journal, path)
    await unlink(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

function notFound(key: StorageKey): StorageError {
  return new StorageError('storage.not_found', `No object ${JSON.stringify(key)}.`)
}
