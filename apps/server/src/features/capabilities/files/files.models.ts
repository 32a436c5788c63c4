import { type ErrorSpec, fileErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import { parseVirtualPath } from '../../../lib/paths.ts'
import type { FileRow } from './files.table.ts'

const HOUR_MS = 3_600_000

type Lifetime = Pick<FileRow, 'expires_at_ms' | 'max_views' | 'views' | 'purged_at_ms'>

/** Whether a share has expired or is purged. */
export const hasExpired = (row: Lifetime, nowMs: number): boolean =>
  row.purged_at_ms !== null || (row.expires_at_ms !== null && row.expires_at_ms <= nowMs)

export const isUsedUp = (row: Lifetime): boolean => row.max_views !== null && row.views >= row.max_views

/** Whether its bytes need a ticket: a password, a view limit, or the act of opening protects them. */
export const isRestricted = (row: Pick<FileRow, 'password_hash' | 'max_views' | 'opening'>): boolean =>
  row.password_hash !== null || row.max_views !== null || row.opening === 'ask'

/** Whether a device that opened a used-up share may still come back. */
export const isHeldForDevices = (row: Lifetime & Pick<FileRow, 'grace_until_ms'>, nowMs: number): boolean =>
  row.grace_until_ms !== null && row.grace_until_ms > nowMs && !hasExpired(row, nowMs)

/** The error of an expired or used-up share, or `null`. */
export function findEnd(row: Lifetime, nowMs: number): ErrorSpec | null {
  if (isUsedUp(row)) return fileErrors.used_up
  return hasExpired(row, nowMs) ? fileErrors.expired : null
}

/** Converts hours to an expiry; absent, 0 and less mean never. */
export const expiryFromHours = (hours: number | null, nowMs: number): number | null =>
  hours === null || hours <= 0 ? null : nowMs + hours * HOUR_MS

/** Invisible characters that can display `gpj.exe` as `exe.jpg`; right-to-left names do not need them. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/** A name is displayed on one line. One with a NUL is refused elsewhere. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const LINE_CONTROLS = /[\u0001-\u001f\u007f-\u009f\u2028\u2029]+/g

/** @throws {AppError} `file.name_invalid` for names that are empty once trimmed, or `.` and `..` */
export function requireFilename(text: string): string {
  const name = text
    .replace(/^.*[\\/]/, '')
    .replace(DIRECTION_CONTROLS, '')
    .replace(LINE_CONTROLS, ' ')
    .trim()
  if (name === '' || name === '.' || name === '..') throw new AppError(fileErrors.name_invalid)
  return name.toWellFormed()
}

/** A folder without leading and trailing slashes. @throws {AppError} `file.path_invalid` */
export function requireFolder(text: string | null): string {
  if (text === null) return ''
  const path = parseVirtualPath(text)
  if (path === null) throw new AppError(fileErrors.path_invalid)
  return path.slice(1)
}
