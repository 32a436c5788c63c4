import { parseHttpDate } from './http-date.ts'

export interface RequestedRange {
  readonly firstByte: number
  /** Position of the last byte, inclusive. */
  readonly lastByte: number
}

/**
 * Reads a `Range` header for a body of `sizeBytes`.
 * @returns the range clamped to the body; `unsatisfiable` if the range is outside of the body; `null` for the whole
 *   body, if there is no range, or an invalid or unsupported range (several ranges, other units).
 * Source: RFC 9110, section 14.1.2 and 14.2, read 2026-11-20.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): RequestedRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Number(last)
    if (length === 0 || sizeBytes === 0) return 'unsatisfiable'
    return { firstByte: Math.max(0, sizeBytes - length), lastByte: sizeBytes - 1 }
  }
  const firstByte = Number(first)
  const lastByte = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (firstByte >= sizeBytes) return 'unsatisfiable'
  return lastByte < firstByte ? null : { firstByte, lastByte }
}

/** Whether an `If-None-Match` header contains this etag (given without quotes), strong or weak, or is `*`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${etag}"`)
}

/**
 * Whether an `If-Match` header contains this etag, or is `*`. A weak etag never matches.
 * Source: RFC 9110, sections 8.8.3.2 and 13.1.1, read 2026-11-23.
 */
export const matchesStrongly = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((one) => one.trim() === `"${etag}"`)

/** Version of a body that conditional headers are checked against. */
export interface BodyVersion {
  readonly etag: string
  readonly modifiedAtMs: number
  /**
   * Whether a client has set the modification time. Different bytes can then have the same time, so that the time does
   * not identify a version.
   */
  readonly isTimeSetByClient?: boolean | undefined
}

/** Whether this `If-Range` header allows a range. Its tag or date must match the body. */
export function allowsRange(
  header: string | undefined,
  { etag, modifiedAtMs, isTimeSetByClient = false }: BodyVersion,
): boolean {
  if (header === undefined) return true
  if (header.startsWith('"')) return header === `"${etag}"`
  return !isTimeSetByClient && Math.floor(modifiedAtMs / 1000) * 1000 === parseHttpDate(header)
}

export interface BytesRequest {
  readonly method: string
  readonly headers: {
    readonly range?: string | undefined
    readonly 'if-range'?: string | string[] | undefined
    readonly 'if-none-match'?: string | undefined
    readonly 'if-match'?: string | undefined
    readonly 'if-modified-since'?: string | undefined
    readonly 'if-unmodified-since'?: string | undefined
  }
}

/** How to respond: without a body, with the whole body, or with a range. */
export type BytesPlan =
  | { readonly kind: 'not_modified' }
  | { readonly kind: 'condition_failed' }
  | { readonly kind: 'head' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: RequestedRange }

/**
 * Whether the body was modified after the date of a header, with a precision of one second; false if the date is
 * invalid.
 */
const isModifiedSince = (header: string, modifiedAtMs: number): boolean =>
  Math.floor(modifiedAtMs / 1000) * 1000 > parseHttpDate(header)

function checkConditions(
  headers: BytesRequest['headers'],
  { etag, modifiedAtMs, isTimeSetByClient = false }: BodyVersion,
): 'condition_failed' | 'not_modified' | null {
  const ifMatch = headers['if-match']
  const unmodifiedSince = headers['if-unmodified-since']
  const isOther =
    ifMatch === undefined
      ? unmodifiedSince !== undefined && isModifiedSince(unmodifiedSince, modifiedAtMs)
      : !matchesStrongly(ifMatch, etag)
  if (isOther) return 'condition_failed'
  const ifNoneMatch = headers['if-none-match']
  const modifiedSince = headers['if-modified-since']
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag) ? 'not_modified' : null
  const isDate =
    !isTimeSetByClient && modifiedSince !== undefined && !Number.isNaN(parseHttpDate(modifiedSince))
  return isDate && !isModifiedSince(modifiedSince, modifiedAtMs) ? 'not_modified' : null
}

/**
 * Decides how to respond to a request for bytes. The decision is made once, so that accounting and sending agree.
 * Source: RFC 9110, section 13.2.2 (order of conditions) and 14.2, read 2026-11-20.
 */
export function planBytes(
  { method, headers }: BytesRequest,
  body: BodyVersion & { readonly sizeBytes: number },
): BytesPlan {
  const condition = checkConditions(headers, body)
  if (condition !== null) return { kind: condition }
  if (method === 'HEAD') return { kind: 'head' }
  const ifRange = headers['if-range']
  const isRangeValid = allowsRange(Array.isArray(ifRange) ? ifRange[0] : ifRange, body)
  const range = isRangeValid ? parseRange(headers.range, body.sizeBytes) : null
  if (range === 'unsatisfiable') return { kind: 'unsatisfiable' }
  return range === null ? { kind: 'whole' } : { kind: 'part', range }
}
