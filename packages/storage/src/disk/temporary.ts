import { randomUUID } from 'node:crypto'
import { type BigIntStats, fstatSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeNewFile } from './at-once.ts'
import { isMissing, translate } from './errors.ts'
import type { FreeRoom } from './free-room.ts'
import { type DiskRoot, requireMounted } from './root.ts'

export interface TemporaryFile {
  path: string
  handle: FileHandle
  /** Whether the file is fsynced before its write is acknowledged. */
  syncs: boolean
  room: FreeRoom
}

const temporaryPath = (root: DiskRoot): string => join(root.temporary, randomUUID())

/**
 * Opens a new file in the temporary folder. `use` renames the file to its final name. If `use` fails, the file is
 * removed.
 */
export async function withTemporaryFile<T>(
  root: DiskRoot,
  use: (file: TemporaryFile) => Promise<T>,
): Promise<T> {
  const path = temporaryPath(root)
  const handle = await open(path, 'wx').catch(async (error: unknown) => {
    await requireMounted(root)
    throw translate(error, 'write', path)
  })
  let isDone = false
  try {
    const result = await use({ path, handle, syncs: root.syncs, room: root.room })
    isDone = true
    return result
  } finally {
    await handle.close()
    // If the file cannot be removed, the sweep removes it.
    if (!isDone) await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Like `withTemporaryFile`, for bytes in memory, without fsync. `use` renames the file to its final name. */
export async function withSmallFile<T>(
  root: DiskRoot,
  bytes: Buffer,
  use: (path: string, stats: BigIntStats) => Promise<T>,
): Promise<T> {
  const path = temporaryPath(root)
  try {
    await root.room.take(bytes.length)
    return await use(path, writeNewFile(path, bytes))
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined)
    if (isMissing(error)) await requireMounted(root)
    throw translate(error, 'write', path)
  }
}

/** A write call starts when this many bytes have arrived. Further bytes are collected during the call. */
const BATCH_BYTES = 1024 * 1024
/**
 * Number of bytes after which a sync is started while further bytes are written, so that the fsync at the end is short.
 */
const SYNC_EVERY_BYTES = 64 * BATCH_BYTES

/**
 * Appends chunks to a file while the next chunks arrive, and releases the chunks it has written.
 * @throws {StorageError} errors of the disk; the body's own error
 */
export async function receive(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { handle, syncs, room }: TemporaryFile,
  release: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  let batch: Buffer[] = []
  let batchBytes = 0
  let unsyncedBytes = 0
  let writing: Promise<void> | undefined
  let syncing: Promise<void> | undefined
  const write = async () => {
    await room.take(batchBytes)
    await writing
    writing = append(handle, batch, release)
    writing.catch(() => undefined)
    unsyncedBytes += batchBytes
    batch = []
    batchBytes = 0
    if (!syncs || unsyncedBytes < SYNC_EVERY_BYTES) return
    await syncing
    unsyncedBytes = 0
    syncing = handle.datasync()
    syncing.catch(() => undefined)
  }
  try {
    for await (const chunk of chunks) {
      batch.push(chunk)
      batchBytes += chunk.length
      if (batchBytes >= BATCH_BYTES) await inDiskTerms(write)
    }
    if (batchBytes > 0) await inDiskTerms(write)
  } finally {
    // Waits for both operations, so that the file is not closed while one of them runs.
    await inDiskTerms(() => Promise.all([writing, syncing]))
  }
}

async function inDiskTerms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translate(error, 'write', 'temporary file')
  }
}

async function append(
  handle: FileHandle,
  chunks: readonly Buffer[],
  release: (chunk: Buffer) => void,
): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks)
  let skipBytes = bytesWritten
  for (const chunk of chunks) {
    if (skipBytes < chunk.length) await handle.writeFile(chunk.subarray(skipBytes))
    skipBytes = Math.max(0, skipBytes - chunk.length)
  }
  chunks.forEach(release)
}

/** Fsyncs the file if required, and returns its stats. */
export async function seal(file: TemporaryFile): Promise<BigIntStats> {
  return inDiskTerms(async () => {
    if (file.syncs) await file.handle.sync()
    // The stats of an open file need no disk access. Handing the call to another thread would cost more than the call.
    return fstatSync(file.handle.fd, { bigint: true })
  })
}
