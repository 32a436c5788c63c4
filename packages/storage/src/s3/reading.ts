import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStat, Op, ReadOptions, ReadResult, WriteOptions } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { at, call, plainEtag, type S3Context } from './client.ts'
import { statusOf } from './errors.ts'
import { readBody } from './read-body.ts'

interface Headers {
  ContentEncoding?: string | undefined
  ContentLength?: number | undefined
  ContentType?: string | undefined
  ETag?: string | undefined
  LastModified?: Date | undefined
}

/**
 * Returns the content encoding without `identity`, which means none, and without `aws-chunked`, the transfer encoding
 * of the upload. Some storages store `aws-chunked` although it is not a property of the object.
 */
const encodingOf = ({ ContentEncoding = '' }: Headers): string =>
  ContentEncoding.split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !['', 'aws-chunked', 'identity'].includes(coding.toLowerCase()))
    .join(', ')

export function toObjectStat(key: StorageKey, headers: Headers, sizeBytes?: number): ObjectStat {
  const contentEncoding = encodingOf(headers)
  return {
    key,
    sizeBytes: sizeBytes ?? headers.ContentLength ?? 0,
    etag: plainEtag(headers.ETag),
    modifiedAtMs: headers.LastModified?.getTime() ?? 0,
    ...(headers.ContentType !== undefined && { contentType: headers.ContentType }),
    ...(contentEncoding !== '' && { contentEncoding }),
  }
}

/**
 * Returns null if the object does not exist. HEAD also returns 404 for a missing bucket, so the bucket is checked
 * separately.
 */
export async function statObject(ctx: S3Context, key: StorageKey, o: Op = {}): Promise<ObjectStat | null> {
  const headers = await call(`look at ${JSON.stringify(key)}`, o.signal, (options) =>
    ctx.s3.headObject(at(ctx, key), options).catch((error: unknown) => {
      if (statusOf(error) === 404) return null
      throw error
    }),
  )
  if (headers !== null) return toObjectStat(key, headers)
  await ctx.requireBucket(o)
  return null
}

/** @throws {StorageError} `storage.not_found` */
export async function requireStat(ctx: S3Context, key: StorageKey, o: Op = {}): Promise<ObjectStat> {
  const stat = await statObject(ctx, key, o)
  if (stat !== null) return stat
  throw new StorageError('storage.not_found', `No object ${JSON.stringify(key)}.`)
}

/** @throws {StorageError} `storage.exists` */
export async function requireAbsent(ctx: S3Context, key: StorageKey, o: Op): Promise<void> {
  if ((await statObject(ctx, key, o)) === null) return
  throw new StorageError('storage.exists', `There is an object ${JSON.stringify(key)} already.`)
}

/** @throws {StorageError} `storage.changed` if the object is missing or has a different version */
async function requireVersion(ctx: S3Context, key: StorageKey, o: Op & { ifMatch: string }): Promise<void> {
  if ((await statObject(ctx, key, o))?.etag === o.ifMatch) return
  throw new StorageError('storage.changed', `${JSON.stringify(key)} is not the version that was meant.`)
}

type Condition = Pick<WriteOptions, 'ifAbsent' | 'ifMatch' | 'signal'>

/** @throws {StorageError} `storage.exists` or `storage.changed` if the object does not meet the condition */
export async function requireCondition(ctx: S3Context, key: StorageKey, o: Condition): Promise<void> {
  if (o.ifAbsent) await requireAbsent(ctx, key, o)
  if (o.ifMatch !== undefined) await requireVersion(ctx, key, { signal: o.signal, ifMatch: o.ifMatch })
}

/**
 * Runs a write with a condition. A Ceph gateway answers 500 to a writer that loses a race. After such an answer, the
 * condition is checked again, so that the loser gets the error of the condition.
 */
export async function withCondition<T>(
  ctx: S3Context,
  key: StorageKey,
  o: Condition,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof StorageError && statusOf(error.cause) === 500) await requireCondition(ctx, key, o)
    throw error
  }
}

/** If a read can return this many bytes or more, the first bytes are requested separately. */
const LONG_BYTES = 16 * 1024 * 1024
const BEGINNING_BYTES = 256 * 1024

export function readObject(ctx: S3Context, key: StorageKey, o: ReadOptions = {}): Promise<ReadResult> {
  const { firstByte, lastByte } = o.range ?? { firstByte: 0, lastByte: Infinity }
  const mayBeBytes = Math.min(lastByte + 1, o.sizeBytes ?? (o.range ? Infinity : 0)) - firstByte
  return mayBeBytes >= LONG_BYTES ? readInTwo(ctx, key, o) : readAtOnce(ctx, key, o)
}

async function readAtOnce(ctx: S3Context, key: StorageKey, o: ReadOptions): Promise<ReadResult> {
  const { source, stat, range } = await ask(ctx, key, o)
  if (o.range && range === null) {
    source.destroy()
    const message = `The storage failed to ${reading(key)}: it knows no ranges.`
    throw new StorageError('storage.unavailable', message)
  }
  return { body: watched(ctx, key, { source, signal: o.signal }), stat, range }
}

/**
 * Reads a large object in two requests. Some storages join an object from parts, or read ahead. The first byte of a
 * large response then takes several times as long as that of a small response.
 */
async function readInTwo(ctx: S3Context, key: StorageKey, o: ReadOptions): Promise<ReadResult> {
  const { signal } = o
  const { firstByte, lastByte: wantedByte } = o.range ?? { firstByte: 0, lastByte: Infinity }
  const short = { firstByte, lastByte: firstByte + BEGINNING_BYTES - 1 }
  const beginning = await ask(ctx, key, { range: short, signal }).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === 'storage.range') return null
    throw error
  })
  // The object is shorter than expected, or the storage does not support ranges.
  if (beginning?.range?.firstByte !== firstByte) {
    beginning?.source.destroy()
    return readAtOnce(ctx, key, o)
  }
  const { source, stat, range: came } = beginning
  const lastByte = Math.min(wantedByte, stat.sizeBytes - 1)
  const left = { firstByte: came.lastByte + 1, lastByte }
  const rest = left.firstByte > lastByte ? undefined : () => askRest(ctx, key, { range: left, signal, stat })
  const range = o.range ? { firstByte, lastByte } : null
  return { body: watched(ctx, key, { source, signal, rest }), stat, range }
}

/** @throws {StorageError} `storage.changed` if the version differs from the version of the first part */
async function askRest(
  ctx: S3Context,
  key: StorageKey,
  { range, signal, stat }: Op & { range: ByteRange; stat: ObjectStat },
): Promise<Readable> {
  const rest = await ask(ctx, key, { range, signal })
  const isSame = rest.stat.etag === stat.etag && rest.stat.sizeBytes === stat.sizeBytes
  if (isSame && rest.range?.firstByte === range.firstByte) return rest.source
  rest.source.destroy()
  throw new StorageError('storage.changed', `${JSON.stringify(key)} was replaced while it was read.`)
}

const reading = (key: StorageKey): string => `read ${JSON.stringify(key)}`

function watched(
  { traits }: S3Context,
  key: StorageKey,
  { source, signal, rest }: Op & { source: Readable; rest?: (() => Promise<Readable>) | undefined },
): Readable {
  return readBody(source, { what: reading(key), timeoutMs: traits.timeoutMs, signal, rest })
}

/** Sends one GetObject request. The range is null if none was requested, or the storage returned the whole object. */
async function ask(ctx: S3Context, key: StorageKey, { range, signal }: ReadOptions) {
  const input = { ...at(ctx, key), ...(range && { Range: rangeHeader(range) }) }
  const answer = await call(reading(key), signal, (options) => ctx.s3.getObject(input, options))
  const seen = range ? seenRange(answer) : null
  return {
    /** In Node.js the body is a readable stream, which is the response itself. */
    source: answer.Body as Readable,
    stat: toObjectStat(key, answer, seen?.sizeBytes),
    range: seen?.range ?? null,
  }
}

/** @throws {StorageError} `storage.range` if the range is invalid for any object */
function rangeHeader({ firstByte, lastByte }: ByteRange): string {
  const isRange = Number.isSafeInteger(firstByte) && firstByte >= 0 && lastByte >= firstByte
  if (!isRange) throw new StorageError('storage.range', `Invalid range: ${firstByte} to ${lastByte}.`)
  return `bytes=${firstByte}-${lastByte < Number.MAX_SAFE_INTEGER ? lastByte : ''}`
}

function seenRange({ ContentRange }: { ContentRange?: string | undefined }) {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? []
  if (size === undefined) return null
  return { range: { firstByte: Number(first), lastByte: Number(last) }, sizeBytes: Number(size) }
}
