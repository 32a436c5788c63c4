import { type ErrorSpec, fileErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import { parseVirtualPath } from '../../../lib/paths.ts'
import type { FileRow } from './files.table.ts'

const HOUR_MS = 3_600_000

type Lifetime = Pick<FileRow, 'expires_at_ms' | 'max_views' | 'views' | 'purged_at_ms'>

export const hasExpired = (row: Lifetime, nowMs: number): boolean =>
  row.purged_at_ms !== null || (row.expires_at_ms !== null && row.expires_at_ms <= nowMs)

export const isUsedUp = (row: Lifetime): boolean => row.max_views !== null && row.views >= row.max_views

/** Whether a password, a view limit or a required confirmation restricts access to the bytes. */
export const isRestricted = (row: Pick<FileRow, 'password_hash' | 'max_views' | 'opening'>): boolean =>
  row.password_hash !== null || row.max_views !== null || row.opening === 'ask'

/** Whether devices that opened a used-up share are still allowed to reopen it. */
export const isHeldForDevices = (row: Lifetime & Pick<FileRow, 'grace_until_ms'>, nowMs: number): boolean =>
  row.grace_until_ms !== null && row.grace_until_ms > nowMs && !hasExpired(row, nowMs)

/** Returns the error for an expired or used-up share, otherwise `null`. */
export function findEnd(row: Lifetime, nowMs: number): ErrorSpec | null {
  if (isUsedUp(row)) return fileErrors.used_up
  return hasExpired(row, nowMs) ? fileErrors.expired : null
}

/** Converts hours to an expiry time. `null` or a value of at most 0 means that the share never expires. */
export const expiryFromHours = (hours: number | null, nowMs: number): number | null =>
  hours === null || hours <= 0 ? null : nowMs + hours * HOUR_MS

/**
 * Invisible characters that can make `gpj.exe` look like `exe.jpg`. Right-to-left names do not need these characters.
 */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Control characters and line separators. They are replaced, so that names stay on one line. Names with NUL are
 * rejected elsewhere.
 */
// eslint-disable-next-line no-control-regex -- the expression must match control characters
const LINE_CONTROLS = /[\u0001-\u001f\u007f-\u009f\u2028\u2029]+/g

/**
 * Removes folders and direction controls from a file name, and replaces other control characters with spaces.
 * @throws {AppError} `file.name_invalid` if the result is empty, `.` or `..`
 */
export function requireFilename(text: string): string {
  const name = text
    .replace(/^.*[\\/]/, '')
    .replace(DIRECTION_CONTROLS, '')
    .replace(LINE_CONTROLS, ' ')
    .trim()
  if (name === '' || name === '.' || name === '..') throw new AppError(fileErrors.name_invalid)
  return name.toWellFormed()
}

/** Returns a folder path without leading and trailing slashes. @throws {AppError} `file.path_invalid` */
export function requireFolder(text: string | null): string {
  if (text === null) return ''
  const path = parseVirtualPath(text)
  if (path === null) throw new AppError(fileErrors.path_invalid)
  return path.slice(1)
}
