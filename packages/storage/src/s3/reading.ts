import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStat, Op, ReadResult } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { at, call, plainEtag, type S3Context } from './client.ts'
import { statusOf } from './errors.ts'
import type { PlainAnswer } from './plain-answer.ts'
import { readBody } from './read-body.ts'

interface Headers {
  ContentLength?: number | undefined
  ContentType?: string | undefined
  ETag?: string | undefined
  LastModified?: Date | undefined
}

export function toObjectStat(key: StorageKey, headers: Headers, sizeBytes?: number): ObjectStat {
  return {
    key,
    sizeBytes: sizeBytes ?? headers.ContentLength ?? 0,
    etag: plainEtag(headers.ETag),
    modifiedAtMs: headers.LastModified?.getTime() ?? 0,
    ...(headers.ContentType !== undefined && { contentType: headers.ContentType }),
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

export async function readObject(
  ctx: S3Context,
  key: StorageKey,
  o: Op & { range?: ByteRange | undefined } = {},
): Promise<ReadResult> {
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

function quickResult(
  key: StorageKey,
  { headers, body, cancel }: PlainAnswer,
  { what, isRange }: { what: string; isRange: boolean },
): ReadResult {
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
