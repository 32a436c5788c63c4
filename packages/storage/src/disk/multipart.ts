import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { meter, withBody } from '../body.ts'
import { releaseOf } from '../chunk-memory.ts'
import { mapBounded } from '../concurrency.ts'
import type { BodyOptions, MultipartUploads, PartPage, PartRef, PartStat, UploadRef } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { requireAscendingParts, requirePartNumber } from '../parts.ts'
import { isMissing, translate } from './errors.ts'
import { etagOf, toObjectStat } from './object-stat.ts'
import { place, requirePlace, syncFolder } from './place.ts'
import { type DiskRoot, requireMounted } from './root.ts'
import { receive, seal, withTemporaryFile } from './temporary.ts'

/** File with the `{ "key": … }` of the upload, written before the upload's id is returned. */
const RECORD_NAME = 'upload.json'
const PART_NAME = /^(\d{5})\.part$/
const STATS_AT_ONCE = 16
const JOIN_BUFFER_BYTES = 1024 * 1024

/**
 * Stores uploads as folders under `.dropleaf-tmp/uploads`, named by their id, with one file per part. The folder holds
 * the whole state, so an upload outlives the process. A part gets its name when it is complete, and fsynced if `syncs`
 * is set.
 */
export function createDiskMultipart(root: DiskRoot): MultipartUploads {
  return {
    create: (key) => createUpload(root, key),
    uploadPart: (upload, partNumber, body, o) => uploadPart(root, upload, partNumber, body, o),
    listParts: (upload, o) => listParts(root, upload, o),
    complete: (upload, parts, o) => completeUpload(root, upload, parts, o),
    async abort(upload) {
      const isKnown = await requireUpload(root, upload).then(() => true, ignoreNotFound)
      if (isKnown) await removeUpload(root, upload)
    },
  }
}

async function createUpload(root: DiskRoot, key: StorageKey): Promise<UploadRef> {
  await requireMounted(root)
  await requirePlace(root, { key, ifAbsent: false })
  const uploadId = randomUUID()
  const folder = join(root.uploads, uploadId)
  try {
    await mkdir(folder)
    await using record = await open(join(folder, RECORD_NAME), 'wx')
    await record.writeFile(JSON.stringify({ key }))
    if (root.syncs) await record.sync()
    await syncFolder(root, folder)
    await syncFolder(root, root.uploads)
  } catch (error) {
    throw translate(error, 'write', key)
  }
  return { key, uploadId }
}

/**
 * Returns the upload's folder. @throws {StorageError} `storage.not_found` unless the id is valid, known, and belongs to
 * this key
 */
async function requireUpload(root: DiskRoot, { key, uploadId }: UploadRef): Promise<string> {
  const unknown = new StorageError('storage.not_found', `No such upload of ${JSON.stringify(key)}.`)
  if (!/^[A-Za-z0-9-]{1,64}$/.test(uploadId)) throw unknown
  const folder = join(root.uploads, uploadId)
  const known = await keyOfUpload(folder).catch((error: unknown) => {
    throw translate(error, 'read', key)
  })
  if (known === key) return folder
  await requireMounted(root)
  throw unknown
}

/** Returns the key of the upload in a folder, or null if the record is missing or incomplete. */
export async function keyOfUpload(folder: string): Promise<string | null> {
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, RECORD_NAME), 'utf8'))
    const hasKey = typeof record === 'object' && record !== null && 'key' in record
    return hasKey && typeof record.key === 'string' ? record.key : null
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}

async function uploadPart(
  root: DiskRoot,
  upload: UploadRef,
  partNumber: number,
  body: Readable,
  o: BodyOptions = {},
): Promise<PartStat> {
  return withBody(
    body,
    async () => {
      o.signal?.throwIfAborted()
      requirePartNumber(partNumber)
      const folder = await requireUpload(root, upload)
      return withTemporaryFile(root, async (file) => {
        await receive(meter(body, o), file, releaseOf(body))
        const stats = await seal(file)
        await namePart(root, upload, { from: file.path, to: partPath(folder, partNumber) })
        return { partNumber, etag: etagOf(stats), sizeBytes: Number(stats.size) }
      })
    },
    o.signal,
  )
}

/** @throws {StorageError} `storage.not_found` if the upload was completed or aborted meanwhile */
async function namePart(root: DiskRoot, upload: UploadRef, { from, to }: { from: string; to: string }) {
  try {
    await rename(from, to)
    await syncFolder(root, dirname(to))
  } catch (error) {
    await requireUpload(root, upload)
    throw translate(error, 'write', upload.key)
  }
}

async function listParts(
  root: DiskRoot,
  upload: UploadRef,
  o: { limit?: number; cursor?: string | undefined } = {},
): Promise<PartPage> {
  const folder = await requireUpload(root, upload)
  const limit = o.limit ?? 1000
  const after = Number(o.cursor ?? 0)
  try {
    const numbers = (await readdir(folder))
      .map((name) => Number(PART_NAME.exec(name)?.[1]))
      .filter((partNumber) => partNumber > after)
      .sort((a, b) => a - b)
    const page = numbers.slice(0, limit)
    const parts = await mapBounded(page, STATS_AT_ONCE, (partNumber) => statPart(folder, partNumber))
    return { parts, nextCursor: numbers.length > limit ? String(page.at(-1)) : null }
  } catch (error) {
    throw translate(error, 'read', upload.key)
  }
}

async function completeUpload(
  root: DiskRoot,
  upload: UploadRef,
  parts: readonly PartRef[],
  o: { ifAbsent?: boolean | undefined; signal?: AbortSignal | undefined } = {},
) {
  const placement = { key: upload.key, ifAbsent: o.ifAbsent ?? false }
  o.signal?.throwIfAborted()
  const folder = await requireUpload(root, upload)
  await requireParts(folder, parts)
  await requirePlace(root, placement)
  const stat = await withTemporaryFile(root, async (file) => {
    const buffer = Buffer.allocUnsafe(JOIN_BUFFER_BYTES)
    for (const part of parts) {
      o.signal?.throwIfAborted()
      const handle = await openPart(folder, part)
      try {
        await append(handle, file.handle, buffer)
      } catch (error) {
        throw translate(error, 'write', upload.key)
      } finally {
        await handle.close()
      }
    }
    const stats = await seal(file)
    await place(root, file.path, placement)
    return toObjectStat(upload.key, stats)
  })
  await removeUpload(root, upload)
  return stat
}

/** Appends a file to another through one reused buffer, so that joining thousands of parts creates no garbage. */
async function append(from: FileHandle, to: FileHandle, buffer: Buffer): Promise<void> {
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, null)
    if (bytesRead === 0) return
    let written = 0
    while (written < bytesRead)
      written += (await to.write(buffer, written, bytesRead - written, null)).bytesWritten
  }
}

/** Checks the list of parts before any byte is copied. */
async function requireParts(folder: string, parts: readonly PartRef[]): Promise<void> {
  requireAscendingParts(parts)
  await mapBounded(parts, STATS_AT_ONCE, async (part) => {
    const { etag } = await statPart(folder, part.partNumber).catch((error: unknown) => {
      throw isMissing(error) ? missingPart(part) : translate(error, 'read', folder)
    })
    if (etag !== part.etag) throw missingPart(part)
  })
}

/** Opens a part. @throws {StorageError} `storage.invalid_part` if the part is missing, or was uploaded again since */
async function openPart(folder: string, part: PartRef) {
  const handle = await open(partPath(folder, part.partNumber), 'r').catch((error: unknown) => {
    throw isMissing(error) ? missingPart(part) : translate(error, 'read', folder)
  })
  if (etagOf(await handle.stat({ bigint: true })) === part.etag) return handle
  await handle.close()
  throw missingPart(part)
}

async function statPart(folder: string, partNumber: number): Promise<PartStat> {
  const stats = await lstat(partPath(folder, partNumber), { bigint: true })
  return { partNumber, etag: etagOf(stats), sizeBytes: Number(stats.size) }
}

async function removeUpload(root: DiskRoot, { uploadId }: UploadRef): Promise<void> {
  try {
    await rm(join(root.uploads, uploadId), { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    throw translate(error, 'write', uploadId)
  }
}

function partPath(folder: string, partNumber: number): string {
  return join(folder, `${String(partNumber).padStart(5, '0')}.part`)
}

function missingPart({ partNumber }: PartRef): StorageError {
  return new StorageError('storage.invalid_part', `Part ${partNumber} is not the one that was uploaded.`)
}

function ignoreNotFound(error: unknown): false {
  if (error instanceof StorageError && error.code === 'storage.not_found') return false
  throw error
}
