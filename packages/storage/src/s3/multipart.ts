import type { Readable } from 'node:stream'
import { meter, requireFits, tooLarge, withBody } from '../body.ts'
import type {
  BodyOptions,
  CopyOptions,
  MultipartUploads,
  ObjectStat,
  Op,
  PartPage,
  PartRef,
  PartStat,
  UploadRef,
} from '../driver.ts'
import { StorageError } from '../errors.ts'
import { requireAscendingParts, requirePartNumber } from '../parts.ts'
import { call, plainEtag, type S3Context } from './client.ts'
import { PartCutter } from './part-cutter.ts'
import { GATHERED_MAX_BYTES } from './part-plan.ts'
import { requireCondition, withCondition } from './reading.ts'
import { holdLast } from './sending.ts'
import { abortUpload, atUpload, completeUpload, createUpload, sendPart, streamPart } from './uploads.ts'

/** A part of unknown size is buffered up to this size, because S3 needs the size in advance. */
const UNSIZED_MAX_BYTES = 64 * 1024 ** 2
/** Maximum number of parts on one page. Source: AWS S3 "ListParts", API/API_ListParts.html, read 2026-11-20. */
const PAGE_MAX = 1000

/** Creates multipart uploads of the storage itself, which outlive the process. */
export function createS3Multipart(ctx: S3Context): MultipartUploads {
  return {
    create: (key, o) => createUpload(ctx, key, o),
    uploadPart: (upload, partNumber, body, o) => uploadPart(ctx, upload, { partNumber, body }, o),
    listParts: (upload, o) => listParts(ctx, upload, o),
    complete: (upload, parts, o) => complete(ctx, upload, parts, o),
    async abort(upload, o) {
      if (isUploadId(upload.uploadId)) await abortUpload(ctx, upload, o)
    },
  }
}

/** Rejects an invalid id, because without an id a part would be written as the object itself. */
function requireUploadId({ key, uploadId }: UploadRef): void {
  if (isUploadId(uploadId)) return
  throw new StorageError('storage.not_found', `No such upload of ${JSON.stringify(key)}.`)
}

function isUploadId(text: string): boolean {
  return /^[\x21-\x7e]{1,1024}$/.test(text)
}

async function uploadPart(
  ctx: S3Context,
  upload: UploadRef,
  { partNumber, body }: { partNumber: number; body: Readable },
  o: BodyOptions = {},
): Promise<PartStat> {
  const send = async (): Promise<PartStat> => {
    o.signal?.throwIfAborted()
    requirePartNumber(partNumber)
    requireUploadId(upload)
    requireFits(o)
    const { sizeBytes } = o
    const chunks = meter(body, o)
    if (sizeBytes !== undefined && sizeBytes > GATHERED_MAX_BYTES) {
      const part = await streamPart(ctx, upload, { partNumber, sizeBytes, chunks: holdLast(chunks) }, o)
      return { ...part, sizeBytes }
    }
    const bytes = await gather(chunks, sizeBytes ?? UNSIZED_MAX_BYTES)
    const { etag } = await sendPart(ctx, upload, { partNumber, bytes }, o)
    return { partNumber, etag, sizeBytes: bytes.length }
  }
  return withBody(body, send, o.signal)
}

async function gather(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const cutter = new PartCutter(chunks)
  const bytes = await cutter.take(maxBytes)
  if (await cutter.isAtEnd()) return bytes
  throw tooLarge(maxBytes)
}

async function listParts(
  ctx: S3Context,
  upload: UploadRef,
  o: Op & { limit?: number; cursor?: string | undefined } = {},
): Promise<PartPage> {
  requireUploadId(upload)
  if (o.cursor !== undefined && !/^\d{1,5}$/.test(o.cursor)) {
    throw new StorageError('storage.invalid_key', 'The cursor belongs to another listing.')
  }
  const input = {
    ...atUpload(ctx, upload),
    MaxParts: Math.min(o.limit ?? PAGE_MAX, PAGE_MAX),
    ...(o.cursor !== undefined && { PartNumberMarker: o.cursor }),
  }
  const answer = await call(`list parts of ${JSON.stringify(upload.key)}`, o.signal, (options) =>
    ctx.s3.listParts(input, options),
  )
  const parts = (answer.Parts ?? []).map(({ PartNumber = 0, ETag, Size = 0 }) => ({
    partNumber: PartNumber,
    etag: plainEtag(ETag),
    sizeBytes: Size,
  }))
  return { parts, nextCursor: (answer.IsTruncated && answer.NextPartNumberMarker) || null }
}

/** Checks first whether the upload exists, because some storages do not return NoSuchUpload. */
async function complete(
  ctx: S3Context,
  upload: UploadRef,
  parts: readonly PartRef[],
  o: CopyOptions = {},
): Promise<ObjectStat> {
  requireAscendingParts(parts)
  await listParts(ctx, upload, { limit: 1, signal: o.signal })
  await requireCondition(ctx, upload.key, o)
  return withCondition(ctx, upload.key, o, () => completeUpload(ctx, upload, parts, o))
}
