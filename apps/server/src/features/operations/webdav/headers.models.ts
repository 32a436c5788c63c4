import { WEBDAV_LOCK_MAX_SECONDS, WEBDAV_LOCK_SECONDS, webdavErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'

const invalid = (header: string) => new AppError(webdavErrors.header_invalid, { params: { header } })

export type Depth = 0 | 1 | 'infinity'

/** The depths that a method allows. */
interface DepthRule {
  readonly method: string
  /** Allowed values, written as in the header. */
  readonly allowed: readonly Depth[]
}

/** How many characters of an invalid value the error message repeats. */
const SHOWN_DEPTH = 20

export const depthRefused = (given: string | number, { method, allowed }: DepthRule): AppError =>
  new AppError(webdavErrors.depth_invalid, {
    params: { method, given: String(given).slice(0, SHOWN_DEPTH), allowed: allowed.join(', ') },
  })

/**
 * Parses a `Depth` header; a missing header means infinity. @throws {AppError} `webdav.depth_invalid` for an invalid
 * value
 */
export function parseDepth(text: string | undefined, rule: DepthRule): Depth {
  switch (text?.trim().toLowerCase()) {
    case undefined:
      return 'infinity'
    case '0':
      return 0
    case '1':
      return 1
    case 'infinity':
      return 'infinity'
    default:
      throw depthRefused(text?.trim() ?? '', rule)
  }
}

/**
 * Parses an `Overwrite` header: whether an existing target can be replaced; a missing header allows it.
 * @throws {AppError} `webdav.header_invalid`
 */
export function parseOverwrite(text: string | undefined): boolean {
  const flag = text?.trim().toUpperCase() ?? 'T'
  if (flag !== 'T' && flag !== 'F') throw invalid('Overwrite')
  return flag === 'T'
}

/**
 * Returns the lifetime of a lock in seconds: the first valid value in the header, but at most the maximum. Returns the
 * default if there is no valid value.
 */
export function parseTimeout(text: string | undefined): number {
  for (const part of (text ?? '').split(',')) {
    if (/^\s*infinite\s*$/i.test(part)) return WEBDAV_LOCK_MAX_SECONDS
    const seconds = /^\s*second-(\d{1,10})\s*$/i.exec(part)?.[1]
    if (seconds !== undefined) return Math.min(Math.max(1, Number(seconds)), WEBDAV_LOCK_MAX_SECONDS)
  }
  return WEBDAV_LOCK_SECONDS
}

export const LOCK_SCHEME = 'opaquelocktoken:'

/**
 * Returns the token of a `Lock-Token` header; `null` if it is not in this server's format. @throws {AppError}
 * `webdav.header_invalid`
 */
export function parseLockToken(text: string | undefined): string | null {
  const url = /^\s*<([^<>]+)>\s*$/.exec(text ?? '')?.[1]
  if (url === undefined) throw invalid('Lock-Token')
  return url.startsWith(LOCK_SCHEME) ? url.slice(LOCK_SCHEME.length) : null
}

/** One condition of an `If` header. */
export interface IfCondition {
  readonly isNot: boolean
  readonly kind: 'token' | 'etag'
  /** A token with its scheme, or an etag with its quotes. */
  readonly value: string
}

/** Conditions that must all hold. */
export interface IfList {
  /** URL of the resource to which the conditions apply; `null` for the request's target. */
  readonly resource: string | null
  readonly conditions: readonly IfCondition[]
}

const TOKEN = /\s*(?:(Not\b)|<([^<>\s]*)>|\[((?:W\/)?"[^"]*")\]|([()]))/iy

/**
 * Parses an `If` header into lists. The header is satisfied if at least one list is true.
 * @throws {AppError} `webdav.header_invalid`
 * Source: RFC 4918, section 10.4, read 2026-11-22.
 */
export function parseIf(header: string): IfList[] {
  const lists: IfList[] = []
  let resource: string | null = null
  let conditions: IfCondition[] | null = null
  let isNot = false
  const text = header.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const [, not, url, etag, bracket] = TOKEN.exec(text) ?? []
    const value = url ?? etag
    if (bracket === '(' && conditions === null) conditions = []
    else if (bracket === ')' && conditions !== null && conditions.length > 0 && !isNot) {
      lists.push({ resource, conditions })
      conditions = null
    } else if (not !== undefined && conditions !== null && !isNot) isNot = true
    else if (value !== undefined && conditions !== null) {
      conditions.push({ isNot, kind: url === undefined ? 'etag' : 'token', value })
      isNot = false
    } else if (url !== undefined && conditions === null) resource = url
    else throw invalid('If')
  }
  if (conditions !== null || lists.length === 0) throw invalid('If')
  return lists
}

/** Returns this server's lock tokens in an `If` header, whether or not its conditions hold. */
export const tokensIn = (lists: readonly IfList[]): Set<string> =>
  new Set(
    lists
      .flatMap(({ conditions }) => conditions)
      .filter(({ kind, value }) => kind === 'token' && value.startsWith(LOCK_SCHEME))
      .map(({ value }) => value.slice(LOCK_SCHEME.length)),
  )
