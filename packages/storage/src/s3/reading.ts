import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStat, Op, ReadOptions, ReadResult } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import type { PulledBody } from '../pulled-body.ts'
import { at, call, plainEtag, type S3Context } from './client.ts'
import { statusOf } from './errors.ts'
import { JoinedBody } from './joined-body.ts'
import type { PlainAnswer } from './plain-answer.ts'
import { readBody } from './read-body.ts'

interface Headers {
  ContentEncoding?: string | undefined
  ContentLength?: number | undefined
  ContentType?: string | undefined
  ETag?: string | undefined
  LastModified?: Date | undefined
}

/** What an upload was framed in says nothing of the object, although some storages keep it. */
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

/** A missing bucket answers HEAD as a missing object does, and must not be taken for it. */
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

/** @throws {StorageError} `storage.changed` for another version, or none. */
export async function requireVersion(
  ctx: S3Context,
  key: StorageKey,
  o: Op & { ifMatch: string },
): Promise<void> {
  if ((await statObject(ctx, key, o))?.etag === o.ifMatch) return
  throw new StorageError('storage.changed', `${JSON.stringify(key)} is not the version that was meant.`)
}

export async function readObject(ctx: S3Context, key: StorageKey, o: ReadOptions = {}): Promise<ReadResult> {
  return (await readBegun(ctx, key, o)) ?? readPlainly(ctx, key, o)
}

async function readPlainly(ctx: S3Context, key: StorageKey, o: ReadOptions): Promise<ReadResult> {
  const range = o.range && rangeHeader(o.range)
  const what = `read ${JSON.stringify(key)}`
  const quick = await ctx.quickGets.get({ key, range, signal: o.signal })
  if (quick !== null) return quickResult(key, quick, { what, isRange: range !== undefined })
  const answer = await call(what, o.signal, (options) =>
    ctx.s3.getObject({ ...at(ctx, key), ...(range && { Range: range }) }, options),
  )
  /** In Node.js it is the answer itself. */
  const source = answer.Body as Readable
  const seen = range === undefined ? null : seenRange(answer)
  if (range !== undefined && seen === null) {
    source.destroy()
    throw new StorageError('storage.unavailable', `The storage failed to ${what}: it knows no ranges.`)
  }
  const body = readBody(source, { what, timeoutMs: ctx.traits.timeoutMs, signal: o.signal })
  return { body, stat: toObjectStat(key, answer, seen?.sizeBytes), range: seen?.range ?? null }
}

/** From so many bytes on, the beginning is asked for by itself. */
const LONG_BYTES = 16 * 1024 * 1024
const BEGINNING_BYTES = 256 * 1024

/**
 * Reads much in two requests: a storage that joins an object of its parts, or reads ahead, takes several times as long to the first
 * byte of all as to that of a short piece. While that passes, the rest begins to come.
 * @returns `null` for what is not much, and where the storage is not asked past the SDK.
 */
async function readBegun(ctx: S3Context, key: StorageKey, o: ReadOptions): Promise<ReadResult | null> {
  const { firstByte, lastByte: wantedByte } = o.range ?? { firstByte: 0, lastByte: Infinity }
  const mayBeBytes = Math.min(wantedByte + 1, o.sizeBytes ?? (o.range ? Infinity : 0)) - firstByte
  if (!(mayBeBytes >= LONG_BYTES)) return null
  const what = `read ${JSON.stringify(key)}`
  const asked = { firstByte, lastByte: firstByte + BEGINNING_BYTES - 1 }
  const answer = await ctx.quickGets.get({ key, range: rangeHeader(asked), signal: o.signal })
  if (answer === null) return null
  const { stat, body, range: came } = quickResult(key, answer, { what, isRange: true })
  if (came?.firstByte !== firstByte) {
    body.destroy()
    return null
  }
  const lastByte = Math.min(wantedByte, stat.sizeBytes - 1)
  const result = { stat, range: o.range ? { firstByte, lastByte } : null }
  if (came.lastByte >= lastByte) return { ...result, body }
  const rest = { range: { firstByte: came.lastByte + 1, lastByte }, signal: o.signal, stat }
  return { ...result, body: new JoinedBody(body, readRest(ctx, key, rest)) }
}

/** @throws {StorageError} `storage.changed` when it is of another version than the beginning */
async function readRest(
  ctx: S3Context,
  key: StorageKey,
  { range, signal, stat }: Op & { range: ByteRange; stat: ObjectStat },
): Promise<Readable> {
  const rest = await readPlainly(ctx, key, { range, signal })
  const isSame = rest.stat.etag === stat.etag && rest.stat.sizeBytes === stat.sizeBytes
  if (isSame && rest.range?.firstByte === range.firstByte) return rest.body
  rest.body.destroy()
  throw new StorageError('storage.changed', `${JSON.stringify(key)} was replaced while it was read.`)
}

function quickResult(
  key: StorageKey,
  { headers, body, cancel }: PlainAnswer,
  { what, isRange }: { what: string; isRange: boolean },
): ReadResult & { body: PulledBody } {
  const modifiedAt = new Date(headers.get('last-modified') ?? 0)
  const seen = isRange ? seenRange({ ContentRange: headers.get('content-range') }) : null
  if (isRange && seen === null) {
    cancel()
    throw new StorageError('storage.unavailable', `The storage failed to ${what}: it knows no ranges.`)
  }
  const stat = toObjectStat(
    key,
    {
      ContentLength: Number(headers.get('content-length')),
      ContentType: headers.get('content-type'),
      ContentEncoding: headers.get('content-encoding'),
      ETag: headers.get('etag'),
      ...(!Number.isNaN(modifiedAt.getTime()) && { LastModified: modifiedAt }),
    },
    seen?.sizeBytes,
  )
  return { body: body(what), stat, range: seen?.range ?? null }
}

/** @throws {StorageError} `storage.range` for what is none, whatever the object. */
function rangeHeader({ firstByte, lastByte }: ByteRange): string {
  const isRange = Number.isSafeInteger(firstByte) && firstByte >= 0 && lastByte >= firstByte
  if (!isRange) throw new StorageError('storage.range', `No bytes from ${firstByte} to ${lastByte}.`)
  return `bytes=${firstByte}-${lastByte < Number.MAX_SAFE_INTEGER ? lastByte : ''}`
}

function seenRange({ ContentRange }: { ContentRange?: string | undefined }) {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(ContentRange ?? '') ?? []
  if (size === undefined) return null
  return { range: { firstByte: Number(first), lastByte: Number(last) }, sizeBytes: Number(size) }
}
