import { createHash } from 'node:crypto'
import type { ObjectStat, Op, PartRef, UploadRef, WriteOptions } from '../driver.ts'
import { StorageError, type StorageErrorCode } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { PARTS_MAX } from '../parts.ts'
import { tooLarge } from '../body.ts'
import { at, call, plainEtag, type S3Context } from './client.ts'
import type { PartCutter } from './part-cutter.ts'
import type { PartsPlan } from './part-plan.ts'
import { requireStat, statObject } from './reading.ts'
import { sendStream } from './sending.ts'

/** Headers of the future object. They cannot be set when the parts are joined. */
interface ObjectHeaders {
  contentType?: string | undefined
  contentEncoding?: string | undefined
}

/** The steps of a multipart upload, for `write`, `copy` and `multipart`. */

export async function createUpload(
  ctx: S3Context,
  key: StorageKey,
  o: Op & ObjectHeaders = {},
): Promise<UploadRef> {
  const input = {
    ...at(ctx, key),
    ...(o.contentType !== undefined && { ContentType: o.contentType }),
    ...(o.contentEncoding !== undefined && { ContentEncoding: o.contentEncoding }),
  }
  const { UploadId, $metadata } = await call(`begin ${JSON.stringify(key)}`, o.signal, (options) =>
    ctx.s3.createMultipartUpload(input, options),
  )
  // An earlier attempt may have started an upload whose id was lost with the response.
  if (($metadata.attempts ?? 1) > 1) await (await ctx.noteUpload(key)).end({ isLeft: true })
  if (!UploadId) throw new StorageError('storage.unavailable', 'The storage returned no upload id.')
  return { key, uploadId: UploadId }
}

/**
 * Creates an object in parts within one call. If the call fails, it reports to the {@link UploadNote} that parts might
 * remain in the bucket.
 */
export async function inParts<T>(
  ctx: S3Context,
  key: StorageKey,
  o: Op & ObjectHeaders,
  work: (upload: UploadRef) => Promise<T>,
): Promise<T> {
  const note = await ctx.noteUpload(key)
  let isLeft = true
  try {
    const upload = await createUpload(ctx, key, o)
    try {
      const made = await work(upload)
      isLeft = false
      return made
    } catch (error) {
      // The abort can fail, and a part that is still being sent can arrive later, so the owner of the record checks
      // again.
      await abortUpload(ctx, upload).catch(() => undefined)
      throw error
    }
  } finally {
    await note.end({ isLeft })
  }
}

export function atUpload(ctx: S3Context, { key, uploadId }: UploadRef) {
  return { ...at(ctx, key), UploadId: uploadId }
}

/**
 * Sends buffered bytes as one part.
 * @returns in `isThrough` whether the memory can be reused. If an attempt was refused early, Node.js might still be
 * sending the bytes.
 */
export async function sendPart(
  ctx: S3Context,
  upload: UploadRef,
  { partNumber, bytes }: { partNumber: number; bytes: Buffer },
  o: Op = {},
): Promise<PartRef & { isThrough: boolean }> {
  const input = {
    ...atUpload(ctx, upload),
    PartNumber: partNumber,
    Body: bytes,
    ContentLength: bytes.length,
  }
  const { ETag, $metadata } = await call(`write part ${partNumber}`, o.signal, (options) =>
    ctx.s3.uploadPart(input, options),
  )
  return { partNumber, etag: plainEtag(ETag), isThrough: $metadata.attempts === 1 }
}

/** Streams bytes of a known size as one part. */
export async function streamPart(
  ctx: S3Context,
  upload: UploadRef,
  part: { partNumber: number; sizeBytes: number; chunks: AsyncIterable<Buffer> },
  o: Op = {},
): Promise<PartRef> {
  const { partNumber, sizeBytes } = part
  const input = { ...atUpload(ctx, upload), PartNumber: partNumber, ContentLength: sizeBytes }
  const { ETag } = await sendStream(
    part.chunks,
    (body, signal) =>
      call(`write part ${partNumber}`, signal, (options) =>
        ctx.s3.uploadPart({ ...input, Body: body }, options),
      ),
    o.signal,
  )
  return { partNumber, etag: plainEtag(ETag) }
}

interface PartSource {
  cutter: PartCutter
  plan: PartsPlan
  /** The first part, if it was already taken from the cutter. */
  first: Buffer | null
}

/** Sends a body in parts. After a failure, stops the other parts and waits for them. */
export async function sendParts(
  ctx: S3Context,
  upload: UploadRef,
  source: PartSource,
  o: Op & { sizeBytes?: number | undefined },
): Promise<PartRef[]> {
  const { plan } = source
  if (!plan.isGathered) return streamParts(ctx, upload, source, o)
  const parts: PartRef[] = []
  const spares: Buffer[] = []
  const pieces = gather(source, spares)
  const stop = new AbortController()
  const signal = o.signal ? AbortSignal.any([o.signal, stop.signal]) : stop.signal
  const stopped = whenAborted(stop.signal)
  stopped.catch(() => undefined)
  const next = () => Promise.race([pieces.next(), stopped])
  const work = async () => {
    for (let piece = await next(); !piece.done; piece = await next()) {
      const { isThrough, ...part } = await sendPart(ctx, upload, piece.value, { signal })
      parts.push(part)
      if (isThrough) spares.push(piece.value.bytes)
    }
  }
  const workers = Array.from({ length: plan.partsAtOnce }, async () => {
    try {
      await work()
    } catch (error) {
      stop.abort(error)
      throw error
    }
  })
  const failed = (await Promise.allSettled(workers)).some(({ status }) => status === 'rejected')
  if (failed) throw stop.signal.reason
  return parts.sort((a, b) => a.partNumber - b.partNumber)
}

/** Rejects when the signal aborts, so that the caller does not wait for a body that has stalled. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/**
 * Yields parts in memory. `spares` reuses the memory of sent parts, because V8 would free it only after the upload.
 * Several callers can request the next part at once.
 */
async function* gather({ cutter, plan, first }: PartSource, spares: Buffer[]) {
  if (first !== null) yield { partNumber: 1, bytes: first }
  for (let partNumber = first === null ? 1 : 2; !(await cutter.isAtEnd()); partNumber += 1) {
    if (partNumber > PARTS_MAX) throw tooLarge(plan.partSizeBytes * PARTS_MAX)
    const memory = spares.pop() ?? Buffer.allocUnsafeSlow(plan.partSizeBytes)
    yield { partNumber, bytes: await cutter.take(plan.partSizeBytes, memory) }
  }
}

async function streamParts(
  ctx: S3Context,
  upload: UploadRef,
  { cutter, plan }: PartSource,
  o: Op & { sizeBytes?: number | undefined },
) {
  const parts: PartRef[] = []
  let sentBytes = 0
  while (!(await cutter.isAtEnd())) {
    const sizeBytes = Math.min(plan.partSizeBytes, (o.sizeBytes ?? Infinity) - sentBytes)
    const part = { partNumber: parts.length + 1, sizeBytes, chunks: cutter.stream(sizeBytes) }
    parts.push(await streamPart(ctx, upload, part, o))
    sentBytes += sizeBytes
  }
  return parts
}

/** Returns the condition that the storage checks before it replaces an object, if the storage supports conditions. */
export function condition(ctx: S3Context, o: Pick<WriteOptions, 'ifAbsent' | 'ifMatch'>) {
  if (!ctx.traits.sendsCondition) return {}
  return {
    ...(o.ifAbsent && { IfNoneMatch: '*' }),
    ...(o.ifMatch !== undefined && { IfMatch: ctx.traits.quotesEtag ? `"${o.ifMatch}"` : o.ifMatch }),
  }
}

const LOST_ANSWER = new Set<StorageErrorCode>(['storage.not_found', 'storage.unavailable'])

/**
 * Joins the parts and checks the result, because some storages return no etag. If the response was lost and the retry
 * fails, the object's etag shows that the upload is complete.
 */
export async function completeUpload(
  ctx: S3Context,
  upload: UploadRef,
  parts: readonly PartRef[],
  o: Pick<WriteOptions, 'ifAbsent' | 'ifMatch' | 'signal'> = {},
): Promise<ObjectStat> {
  const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: `"${etag}"` }))
  const input = {
    ...atUpload(ctx, upload),
    MultipartUpload: { Parts },
    ...condition(ctx, o),
  }
  try {
    await call(`complete ${JSON.stringify(upload.key)}`, o.signal, (options) =>
      ctx.s3.completeMultipartUpload(input, options),
    )
  } catch (error) {
    const mayBeDone = error instanceof StorageError && LOST_ANSWER.has(error.code)
    const done = mayBeDone ? await statObject(ctx, upload.key, o) : null
    if (done === null || done.etag !== etagOfParts(parts)) throw error
    return done
  }
  return requireStat(ctx, upload.key, o)
}

/**
 * Returns the etag that most storages compute. Source: AWS S3 "Checking object integrity",
 * userguide/checking-object-integrity.html, read 2026-11-20.
 */
function etagOfParts(parts: readonly PartRef[]): string {
  const sums = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex')))
  return `${createHash('md5').update(sums).digest('hex')}-${parts.length}`
}

/** Aborts an upload. Succeeds if the upload does not exist. */
export async function abortUpload(ctx: S3Context, upload: UploadRef, o: Op = {}): Promise<void> {
  try {
    await call(`abort ${JSON.stringify(upload.key)}`, o.signal, (options) =>
      ctx.s3.abortMultipartUpload(atUpload(ctx, upload), options),
    )
  } catch (error) {
    const isGone = error instanceof StorageError && error.code === 'storage.not_found'
    if (!isGone) throw error
  }
}
