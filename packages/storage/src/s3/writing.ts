import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { releaseOf } from '../chunk-memory.ts'
import { meter, requireFits, requireWhole, withBody } from '../body.ts'
import type { Body, ObjectStat, Op, WriteOptions } from '../driver.ts'
import { StorageError, type StorageErrorCode } from '../errors.ts'
import { isFolderKey, RESERVED_NAME_PREFIX, type StorageKey } from '../keys.ts'
import { at, call, plainEtag, type S3Context } from './client.ts'
import { PartCutter } from './part-cutter.ts'
import { GATHERED_MAX_BYTES, planWrite } from './part-plan.ts'
import { requireCondition, withCondition } from './reading.ts'
import { holdLast, sendStream } from './sending.ts'
import { completeUpload, condition, inParts, sendParts } from './uploads.ts'

const FOLDER_CONTENT_TYPE = 'application/x-directory'

/**
 * Uses one PUT if the size is known and fits. Otherwise buffers one part, and uploads a longer body in parts, with a
 * few parts in memory at once.
 */
export async function writeObject(
  ctx: S3Context,
  key: StorageKey,
  body: Body,
  given: WriteOptions = {},
): Promise<ObjectStat> {
  const o = isFolderKey(key) ? { contentType: FOLDER_CONTENT_TYPE, ...given, maxBytes: 0 } : given
  if (Buffer.isBuffer(body)) {
    requireWhole(body, o)
    if (body.length > GATHERED_MAX_BYTES) return writeObject(ctx, key, Readable.from([body]), given)
    return conditional(ctx, key, o, async () => {
      o.signal?.throwIfAborted()
      await requireCondition(ctx, key, o)
      return putBuffer(ctx, key, body, o)
    })
  }
  const write = async () => {
    o.signal?.throwIfAborted()
    requireFits(o)
    const plan = planWrite(o)
    await requireCondition(ctx, key, o)
    const chunks = meter(body, o)
    if (plan.kind === 'stream') return putStream(ctx, key, chunks, { ...o, sizeBytes: plan.sizeBytes })
    const cutter = new PartCutter(chunks, releaseOf(body))
    if (!plan.isGathered) return putParts(ctx, key, { cutter, plan, first: null }, o)
    const isLong = (o.sizeBytes ?? 0) >= plan.partSizeBytes
    const memory = isLong ? Buffer.allocUnsafeSlow(plan.partSizeBytes) : undefined
    const first = await cutter.take(plan.partSizeBytes, memory)
    const isWhole = await cutter.isAtEnd()
    return isWhole ? putBuffer(ctx, key, first, o) : putParts(ctx, key, { cutter, plan, first }, o)
  }
  return withBody(body, () => conditional(ctx, key, o, write), o.signal)
}

/** Codes of a failed version condition. AWS returns 404 for a missing object. */
const CONDITION_CODES: ReadonlySet<StorageErrorCode> = new Set(['storage.exists', 'storage.not_found'])

/** @throws {StorageError} `storage.changed` if the object is not the version that `ifMatch` names */
async function conditional<T>(
  ctx: S3Context,
  key: StorageKey,
  o: WriteOptions,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await withCondition(ctx, key, o, write)
  } catch (error) {
    const isChange =
      o.ifMatch !== undefined && error instanceof StorageError && CONDITION_CODES.has(error.code)
    if (!isChange) throw error
    throw new StorageError('storage.changed', `${JSON.stringify(key)} was changed meanwhile.`, {
      cause: error,
    })
  }
}

async function putStream(
  ctx: S3Context,
  key: StorageKey,
  chunks: AsyncIterable<Buffer>,
  o: WriteOptions & { sizeBytes: number },
): Promise<ObjectStat> {
  const input = { ...putInput(ctx, key, o), ContentLength: o.sizeBytes }
  const send = (body: Readable, signal: AbortSignal) =>
    call(`write ${JSON.stringify(key)}`, signal, (options) =>
      ctx.s3.putObject({ ...input, Body: body }, options),
    )
  const { ETag } = await sendStream(holdLast(chunks), send, o.signal)
  return written(ctx, key, { etag: ETag, sizeBytes: o.sizeBytes, o })
}

async function putBuffer(
  ctx: S3Context,
  key: StorageKey,
  bytes: Buffer,
  o: WriteOptions,
): Promise<ObjectStat> {
  const input = { ...putInput(ctx, key, o), Body: bytes, ContentLength: bytes.length }
  const { ETag } = await call(`write ${JSON.stringify(key)}`, o.signal, (options) =>
    ctx.s3.putObject(input, options),
  )
  return written(ctx, key, { etag: ETag, sizeBytes: bytes.length, o })
}

function putInput(ctx: S3Context, key: StorageKey, o: WriteOptions) {
  return {
    ...at(ctx, key),
    ...(o.contentType !== undefined && { ContentType: o.contentType }),
    ...condition(ctx, o),
  }
}

async function putParts(
  ctx: S3Context,
  key: StorageKey,
  source: Parameters<typeof sendParts>[2],
  o: WriteOptions,
): Promise<ObjectStat> {
  return inParts(ctx, key, o, async (upload) => {
    const parts = await sendParts(ctx, upload, source, o)
    // Checks the condition again, because sending the parts took time, and not every storage checks a condition when it
    // joins the parts.
    await requireCondition(ctx, key, o)
    return completeUpload(ctx, upload, parts, o)
  })
}

/**
 * Returns the stat of a written object. The response does not contain the time, so the current time is used, in full
 * seconds.
 */
function written(
  ctx: S3Context,
  key: StorageKey,
  { etag, sizeBytes, o }: { etag: string | undefined; sizeBytes: number; o: WriteOptions },
): ObjectStat {
  const modifiedAtMs = Math.floor(ctx.nowMs() / 1000) * 1000
  const contentType = o.contentType === undefined ? {} : { contentType: o.contentType }
  return { key, sizeBytes, etag: plainEtag(etag), modifiedAtMs, ...contentType }
}

/** Writes and removes an object under a reserved name. */
export async function probeBucket(ctx: S3Context, o: Op = {}): Promise<{ freeBytes: null }> {
  const key = `${RESERVED_NAME_PREFIX}probe-${randomUUID()}` as StorageKey
  await writeObject(ctx, key, Readable.from([Buffer.alloc(1)]), { sizeBytes: 1, signal: o.signal })
  await call('remove what it was probed with', o.signal, (options) =>
    ctx.s3.deleteObject(at(ctx, key), options),
  )
  return { freeBytes: null }
}
