import type { IncomingHttpHeaders } from 'node:http'
import { matchesEtag, matchesStrongly } from './byte-range.ts'
import { parseHttpDate } from './http-date.ts'

const NAMES = ['if-match', 'if-none-match', 'if-unmodified-since'] as const

export type ConditionHeaders = Pick<IncomingHttpHeaders, (typeof NAMES)[number]>

export const hasConditionHeaders = (headers: ConditionHeaders): boolean =>
  NAMES.some((name) => headers[name] !== undefined)

/** The resource that a write would replace. `etag` is `null` for a resource without an etag, such as a folder. */
export interface Replaced {
  readonly etag: string | null
}

/** Whether the replaced resource satisfies a header; `*` matches every existing resource. */
function meets(header: string, replaced: Replaced | null, matches: typeof matchesStrongly): boolean {
  if (header.trim() === '*') return replaced !== null
  return replaced !== null && replaced.etag !== null && matches(header, replaced.etag)
}

/**
 * Whether `If-Match` or `If-None-Match` forbids a write.
 * @param replaced `null` if nothing exists at the target.
 * Source: RFC 9110, sections 13.1.1 and 13.1.2, read 2026-11-23.
 */
export const forbidsReplacing = (
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: ConditionHeaders,
  replaced: Replaced | null,
): boolean =>
  (ifMatch !== undefined && !meets(ifMatch, replaced, matchesStrongly)) ||
  (ifNoneMatch !== undefined && meets(ifNoneMatch, replaced, matchesEtag))

/**
 * Returns the date of `If-Unmodified-Since`. Returns `null` if it is absent or invalid, or if `If-Match` takes
 * precedence. Source: RFC 9110, section 13.1.4, read 2026-11-28.
 */
export function unmodifiedSinceMs(headers: ConditionHeaders): number | null {
  const text = headers['if-unmodified-since']
  if (text === undefined || headers['if-match'] !== undefined) return null
  const sinceMs = parseHttpDate(text)
  return Number.isNaN(sinceMs) ? null : sinceMs
}

/** Whether a time is later than a date with a precision of one second. */
export const isLater = (timeMs: number, dateMs: number): boolean => Math.floor(timeMs / 1000) * 1000 > dateMs
