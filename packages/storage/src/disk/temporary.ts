import { randomUUID } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { incomplete, isPrematureClose, tooLarge } from '../body.ts'
import type { BodyOptions, SweepOptions, SweepResult } from '../driver.ts'
import { isMissing, translate } from './errors.ts'
import { type DiskRoot, requireMounted } from './root.ts'

export interface TemporaryFile {
  path: string
  handle: FileHandle
}

/** Opens a new file under the temporary folder, and removes it afterwards unless `use` moved it away. */
export async function withTemporaryFile<T>(
  root: DiskRoot,
  use: (file: TemporaryFile) => Promise<T>,
): Promise<T> {
  const path = join(root.temporary, randomUUID())
  const handle = await open(path, 'wx').catch(async (error: unknown) => {
    await requireMounted(root)
    throw translate(error, 'write', path)
  })
  try {
    return await use({ path, handle })
  } finally {
    await handle.close()
    await unlink(path).catch((error: unknown) => {
      if (!isMissing(error)) throw translate(error, 'write', path)
    })
  }
}

/**
 * Appends a body to a file, one chunk in memory at a time.
 * @throws {StorageError} `storage.too_large`, `storage.incomplete`, or what the disk says; the body's own error; the
 *   signal's reason. The body is destroyed then.
 */
export async function receive(body: Readable, handle: FileHandle, o: BodyOptions = {}): Promise<void> {
  const limitBytes = Math.min(o.sizeBytes ?? Infinity, o.maxBytes ?? Infinity)
  let receivedBytes = 0
  const drain = async (source: AsyncIterable<Uint8Array | string>) => {
    for await (const chunk of source) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      receivedBytes += bytes.byteLength
      if (receivedBytes > limitBytes) throw tooLarge(limitBytes)
      await handle.writeFile(bytes).catch((error: unknown) => {
        throw translate(error, 'write', 'temporary file')
      })
    }
  }
  try {
    await pipeline(body, drain, o.signal ? { signal: o.signal } : {})
  } catch (error) {
    if (o.signal?.aborted) throw o.signal.reason
    if (isPrematureClose(error)) throw incomplete(receivedBytes, o.sizeBytes, error)
    throw error
  }
  if (receivedBytes < (o.sizeBytes ?? 0)) throw incomplete(receivedBytes, o.sizeBytes)
}

/** Puts a file's bytes on the medium, and tells what the file is now. */
export async function seal(file: TemporaryFile): Promise<BigIntStats> {
  try {
    await file.handle.sync()
    return await file.handle.stat({ bigint: true })
  } catch (error) {
    throw translate(error, 'write', 'temporary file')
  }
}

/** Removes temporary files and upload folders that nothing has touched for so long. */
export async function sweepTemporary(root: DiskRoot, o: SweepOptions): Promise<SweepResult> {
  await requireMounted(root)
  const swept: SweepResult = { files: 0, sizeBytes: 0 }
  const names = await readdir(root.temporary)
  const files = names.map((name) => join(root.temporary, name)).filter((path) => path !== root.uploads)
  const uploads = (await readdir(root.uploads)).map((name) => join(root.uploads, name))
  for (const path of files) await sweepEntry(path, o.olderThanMs, swept)
  for (const path of uploads) await sweepEntry(path, o.uploadsOlderThanMs ?? o.olderThanMs, swept)
  return swept
}

async function sweepEntry(path: string, olderThanMs: number, swept: SweepResult): Promise<void> {
  try {
    const stats = await lstat(path)
    if (Date.now() - stats.mtimeMs < olderThanMs) return
    const inside = stats.isDirectory() ? await readdir(path) : []
    const sizes = inside.map(async (name) => (await lstat(join(path, name))).size)
    const sizeBytes = stats.isDirectory() ? sum(await Promise.all(sizes)) : stats.size
    await rm(path, { recursive: true, maxRetries: 3 })
    swept.files += stats.isDirectory() ? inside.length : 1
    swept.sizeBytes += sizeBytes
  } catch (error) {
    if (!isMissing(error)) throw translate(error, 'write', path)
  }
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
