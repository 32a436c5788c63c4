import type { ListPartsCommandOutput, Part } from '@aws-sdk/client-s3'
import type { Op, SweepOptions, SweepResult, UploadRef } from '../driver.ts'
import { StorageError } from '../errors.ts'
import { call, type S3Context } from './client.ts'
import { keyOf } from './listing.ts'
import { abortUpload, atUpload } from './uploads.ts'

/**
 * Aborts uploads in the bucket that received no part for the given time. This also removes what an interrupted `write`
 * leaves behind. The age of an upload without parts counts from its start.
 */
export async function sweepUploads(ctx: S3Context, o: SweepOptions): Promise<SweepResult> {
  const limitAtMs = Date.now() - (o.uploadsOlderThanMs ?? o.olderThanMs)
  const swept: SweepResult = { files: 0, sizeBytes: 0 }
  for await (const { upload, startedAtMs } of uploadsOf(ctx, o)) {
    if (startedAtMs > limitAtMs) continue
    const parts = await partsOf(ctx, upload, o)
    const lastAtMs = Math.max(startedAtMs, ...parts.map(({ LastModified }) => LastModified?.getTime() ?? 0))
    if (lastAtMs > limitAtMs || (await o.isInUse?.(upload.uploadId))) continue
    if (!o.isDryRun) await abortUpload(ctx, upload, o)
    swept.files += Math.max(1, parts.length)
    swept.sizeBytes += parts.reduce((total, { Size = 0 }) => total + Size, 0)
  }
  return swept
}

/**
 * Yields the uploads. Requests no encoding of the keys, because Ceph then encodes them, but does not report the
 * encoding in its response.
 */
async function* uploadsOf(ctx: S3Context, { key: ofKey, signal }: Pick<SweepOptions, 'key' | 'signal'>) {
  let marker = {}
  let isTruncated = true
  while (isTruncated) {
    const input = { Bucket: ctx.bucket, ...(ofKey !== undefined && { Prefix: ofKey }), ...marker }
    const page = await call('list uploads', signal, (options) => ctx.s3.listMultipartUploads(input, options))
    for (const { Key, UploadId = '', Initiated } of page.Uploads ?? []) {
      const key = keyOf(Key, {})
      const startedAtMs = Initiated?.getTime() ?? Date.now()
      if (key !== null && (ofKey === undefined || key === ofKey))
        yield { upload: { key, uploadId: UploadId }, startedAtMs }
    }
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
    isTruncated = (page.IsTruncated ?? false) && page.NextKeyMarker !== undefined
  }
}

/** Returns an empty list if the upload has disappeared meanwhile. */
async function partsOf(ctx: S3Context, upload: UploadRef, { signal }: Op): Promise<Part[]> {
  const parts: Part[] = []
  try {
    let marker: string | undefined = '0'
    while (marker !== undefined) {
      const input = { ...atUpload(ctx, upload), PartNumberMarker: marker }
      const page: ListPartsCommandOutput = await call('list parts', signal, (options) =>
        ctx.s3.listParts(input, options),
      )
      parts.push(...(page.Parts ?? []))
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
    }
  } catch (error) {
    const isGone = error instanceof StorageError && error.code === 'storage.not_found'
    if (!isGone) throw error
  }
  return parts
}
