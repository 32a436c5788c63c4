import { mapBounded } from '../concurrency.ts'
import type { CopyOptions, ObjectStat, Op, PartRef, UploadRef } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { PARTS_MAX } from '../parts.ts'
import { at, call, plainEtag, type S3Context } from './client.ts'
import { statusOf } from './errors.ts'
import { requireAbsent, requireStat, withCondition } from './reading.ts'
import { atUpload, completeUpload, inParts } from './uploads.ts'

const GIB = 1024 ** 3

/** Largest object that one request can copy. Source: AWS S3 "CopyObject", API/API_CopyObject.html, read 2026-11-20. */
const COPY_MAX_BYTES = 5 * GIB
/** Part size of a larger copy, unless the copy would then need more than 10,000 parts. */
const COPY_PART_BYTES = GIB
const PARTS_AT_ONCE = 4

/**
 * Copies inside the bucket. `ifAbsent` checks beforehand, and also sends a condition if the provider supports one.
 * Otherwise, an object written between check and copy is replaced.
 */
export async function copyObject(
  ctx: S3Context,
  from: StorageKey,
  to: StorageKey,
  o: CopyOptions & { copyMaxBytes?: number } = {},
): Promise<ObjectStat> {
  const source = await requireStat(ctx, from, o)
  if (o.ifAbsent) await requireAbsent(ctx, to, o)
  const isLarge = source.sizeBytes > (o.copyMaxBytes ?? COPY_MAX_BYTES)
  const copied = await withCondition(ctx, to, o, () =>
    isLarge ? copyParts(ctx, source, to, o) : copyWhole(ctx, source, to, o),
  )
  return { ...source, key: to, ...copied }
}

async function copyWhole(ctx: S3Context, source: ObjectStat, to: StorageKey, o: CopyOptions) {
  const isConditional = o.ifAbsent && ctx.traits.copyCondition !== null
  const input = {
    ...at(ctx, to),
    CopySource: copySource(ctx, source.key),
    ...(isConditional && { IfNoneMatch: '*' }),
  }
  const { CopyObjectResult } = await call(copying(source, to), o.signal, (options) =>
    ctx.s3.copyObject(input, options),
  )
  const { ETag, LastModified } = CopyObjectResult ?? {}
  return { etag: plainEtag(ETag), modifiedAtMs: LastModified?.getTime() ?? ctx.nowMs() }
}

async function copyParts(
  ctx: S3Context,
  source: ObjectStat,
  to: StorageKey,
  o: CopyOptions & { copyMaxBytes?: number },
) {
  const { contentType, contentEncoding } = source
  return inParts(ctx, to, { contentType, contentEncoding, signal: o.signal }, async (upload) => {
    const partSizeBytes = Math.max(
      Math.min(COPY_PART_BYTES, o.copyMaxBytes ?? Infinity),
      Math.ceil(source.sizeBytes / PARTS_MAX),
    )
    const numbers = Array.from(
      { length: Math.ceil(source.sizeBytes / partSizeBytes) },
      (_, index) => index + 1,
    )
    const parts = await mapBounded(numbers, PARTS_AT_ONCE, (partNumber) => {
      const firstByte = (partNumber - 1) * partSizeBytes
      const lastByte = Math.min(firstByte + partSizeBytes, source.sizeBytes) - 1
      return copyPart(ctx, upload, { source, partNumber, firstByte, lastByte }, o)
    })
    return completeUpload(ctx, upload, parts, o)
  })
}

interface PartCopy {
  source: ObjectStat
  partNumber: number
  firstByte: number
  lastByte: number
}

/**
 * Copies a part. Ceph decodes the source of a part twice, so the request is repeated with a source that is encoded
 * twice if the source is not found. The etag ensures that no other object is copied.
 */
async function copyPart(
  ctx: S3Context,
  upload: UploadRef,
  { source, partNumber, firstByte, lastByte }: PartCopy,
  o: Op,
): Promise<PartRef> {
  const what = copying(source, upload.key)
  const input = {
    ...atUpload(ctx, upload),
    PartNumber: partNumber,
    CopySource: copySource(ctx, source.key),
    CopySourceRange: `bytes=${firstByte}-${lastByte}`,
    CopySourceIfMatch: `"${source.etag}"`,
  }
  const { CopyPartResult } = await call(what, o.signal, async (options) => {
    try {
      return await ctx.s3.uploadPartCopy(input, options).catch((error: unknown) => {
        if (statusOf(error) !== 404) throw error
        return ctx.s3.uploadPartCopy({ ...input, CopySource: encodeURI(input.CopySource) }, options)
      })
    } catch (error) {
      if (statusOf(error) !== 412) throw error
      const message = `The storage failed to ${what}: the source was replaced meanwhile.`
      throw new StorageError('storage.unavailable', message, { cause: error })
    }
  })
  return { partNumber, etag: plainEtag(CopyPartResult?.ETag) }
}

function copying(source: ObjectStat, to: StorageKey): string {
  return `copy ${JSON.stringify(source.key)} to ${JSON.stringify(to)}`
}

/** Returns the bucket and key of the source, encoded for a header. */
function copySource({ bucket }: S3Context, key: StorageKey): string {
  return [bucket, ...key.split('/')].map(encodeURIComponent).join('/')
}
