import { createHash } from 'node:crypto'
import {
  type BackupKind,
  DEFAULT_SIGNATURE_SECONDS,
  parseInstant,
  SIGNATURE_MAX_SECONDS,
  WEBDAV_UPLOAD_MODES,
} from '@dropleaf/contract'
import { parseVirtualPath } from '../../../lib/paths.ts'
import { type BackupRow, findMisfit, type Misfit } from '../backup/backup.models.ts'
import { defaultCapacity } from '../../foundation/storage-configs/storage-configs.models.ts'

/**
 * Converts rows of a CloudPaste 0.7.0 database. SQLite allows any type in a column, and CloudPaste stores times in two
 * formats.
 */

/** A row as read from the database. */
export type OldRow = Readonly<Record<string, unknown>>

/** A share's password. CloudPaste stored a password in plain text beside its hash, or only as an unsalted SHA-256. */
export type OldPassword =
  | { readonly kind: 'none' }
  | { readonly kind: 'plain'; readonly password: string }
  | { readonly kind: 'digest'; readonly digest: string }
  /** The password is unreadable. The share must not be imported without it. */
  | { readonly kind: 'unreadable' }

/** A row that cannot be imported, and its invalid field. */
export interface Unfit extends Misfit {
  readonly kind: Exclude<BackupKind, 'admin'>
  readonly name: string
}

const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : ''
const textOrNull = (value: unknown): string | null => text(value) || null
const number = (value: unknown): number => {
  const read = typeof value === 'bigint' ? Number(value) : Number(text(value) || Number.NaN)
  return Number.isFinite(read) ? read : 0
}
const whole = (value: unknown): number => Math.max(0, Math.trunc(number(value)))
const bit = (value: unknown): 0 | 1 => (number(value) === 1 ? 1 : 0)
const wholeOrNull = (value: unknown): number | null => whole(value) || null

const instantOr = <T>(value: unknown, fallback: T): number | T => parseInstant(text(value)) ?? fallback

/** Whether a column is empty. */
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''

const isInstant = (value: unknown): boolean => isNothing(value) || parseInstant(text(value)) !== undefined
const isLimit = (value: unknown): boolean => isNothing(value) || /^\d{1,15}$/.test(text(value))

/**
 * Returns the unreadable field of a share or API key; `null` if its text and limits are readable. A share or API key
 * must not be imported without them.
 */
export function findUnreadable(row: OldRow): Misfit | null {
  if (ArrayBuffer.isView(row['content'])) return { field: 'content', reason: 'is no text' }
  if (!isInstant(row['expires_at'])) return { field: 'expires_at', reason: 'is no time that can be read' }
  if (!isLimit(row['max_views'])) return { field: 'max_views', reason: 'is no number of views' }
  if (isNothing(row['basic_path']) || typeof row['basic_path'] === 'string') return null
  return { field: 'basic_path', reason: 'is no text' }
}

/**
 * Returns the problem of an API key or link that CloudPaste itself would have rejected; `null` if there is no problem.
 */
export const findOddName = (field: 'key' | 'slug', value: unknown): Misfit | null =>
  typeof value === 'string' && /^[A-Za-z0-9_-]+$/.test(value)
    ? null
    : { field, reason: 'is empty, or has other characters than letters, digits, "_" and "-"' }

const stampsOf = ({ created_at, updated_at }: OldRow, nowMs: number) => {
  const created_at_ms = instantOr(created_at, nowMs)
  return { created_at_ms, updated_at_ms: instantOr(updated_at, created_at_ms) }
}

/** Converts a creator to an administrator's id, or to `apikey:` followed by an API key's id; `null` if it is empty. */
export function creatorOf(value: unknown): string | null {
  const creator = text(value)
    .replace(/^admin:/, '')
    .replace(/^apiKey:/, 'apikey:')
  return creator === '' ? null : creator
}

const DIGEST = /^[0-9a-f]{64}$/i

/** Converts a stored password. @param plain the plain password stored beside the hash; used only if it matches. */
export function oldPassword(stored: unknown, plain: unknown): OldPassword {
  if (isNothing(stored)) return { kind: 'none' }
  const hash = text(stored)
  if (hash === '') return { kind: 'unreadable' }
  // CloudPaste treats a stored value that is not a SHA-256 digest as the plain password.
  if (hash.length !== 64) return { kind: 'plain', password: hash }
  const digest = hash.toLowerCase()
  const known = text(plain)
  if (known !== '' && createHash('sha256').update(known).digest('hex') === digest)
    return { kind: 'plain', password: known }
  return DIGEST.test(hash) ? { kind: 'digest', digest } : { kind: 'plain', password: hash }
}

const ENCRYPTED = /^encrypted:[^:]*:(.*)$/s

/** Decodes a credential that CloudPaste stored as base64 with a checksum. CloudPaste's secret is not needed. */
export function openOldSecret(value: unknown): string {
  const stored = text(value)
  const [, encoded] = ENCRYPTED.exec(stored) ?? []
  return encoded === undefined ? stored : Buffer.from(encoded, 'base64').toString('utf8')
}

const shareOf = (row: OldRow, nowMs: number) => ({
  id: text(row['id']),
  slug: text(row['slug']),
  remark: textOrNull(row['remark']),
  expires_at_ms: instantOr(row['expires_at'], null),
  max_views: wholeOrNull(row['max_views']),
  views: whole(row['views']),
  purged_at_ms: null,
  created_by: creatorOf(row['created_by']),
  ...stampsOf(row, nowMs),
})

export const pasteOf = (row: OldRow, nowMs: number): BackupRow<'paste'> => ({
  ...shareOf(row, nowMs),
  content: text(row['content']),
  content_type: 'text/markdown',
})

const HEADER_TEXT = /^[\x20-\x7e]+$/

/** Matches the creator of files in a mount. Other shares have plain ids, or `apikey:` followed by an id. */
const MOUNT_CREATOR = /^(?:admin|apiKey):/

const isCommittedToMount = ({ id, slug }: OldRow): boolean => text(slug) === `M-${text(id).slice(0, 5)}`

/** Whether a link belongs to a file in a mount. Deleting such a link must not delete the file. */
const isOfMount = (row: OldRow): boolean =>
  MOUNT_CREATOR.test(text(row['created_by'])) || isCommittedToMount(row)

/** Whether the link was generated with an upload and not chosen by a user. Such links are rarely used. */
export const hasGivenSlug = (row: OldRow): boolean =>
  /^\d{13}-[A-Za-z0-9]+$/.test(text(row['slug'])) || isCommittedToMount(row)

export function fileOf(row: OldRow, nowMs: number): BackupRow<'file'> {
  const share = shareOf(row, nowMs)
  const mimetype = text(row['mimetype'])
  return {
    ...share,
    filename: text(row['filename']) || share.slug,
    storage_config_id: text(row['s3_config_id']),
    storage_key: text(row['storage_path']),
    mimetype: HEADER_TEXT.test(mimetype) ? mimetype : 'application/octet-stream',
    size_bytes: whole(row['size']),
    etag: textOrNull(text(row['etag']).replaceAll('"', '')),
    sha256: null,
    use_proxy: row['use_proxy'] === undefined || row['use_proxy'] === null ? 1 : bit(row['use_proxy']),
    committed_at_ms: share.created_at_ms,
    upload_kind: 'signed',
    last_view_at_ms: null,
    owns_object: isOfMount(row) ? 0 : 1,
  }
}

/** Expiry dates from this year on mean never. */
const NEVER_MS = Date.UTC(9999, 0, 1)

/** Removes trailing slashes, which CloudPaste allows. An invalid path is returned unchanged, to be reported. */
function pathOf(value: unknown): string {
  const path = text(value).replace(/\/+$/, '') || '/'
  return parseVirtualPath(path) ?? path
}

export function keyOf(row: OldRow, nowMs: number): BackupRow<'api_key'> {
  const expires = instantOr(row['expires_at'], null)
  return {
    id: text(row['id']),
    name: text(row['name']).trim(),
    text_permission: bit(row['text_permission']),
    file_permission: bit(row['file_permission']),
    mount_permission: bit(row['mount_permission']),
    mount_read_only: 0,
    basic_path: pathOf(row['basic_path']),
    expires_at_ms: expires !== null && expires >= NEVER_MS ? null : expires,
    last_used_at_ms: instantOr(row['last_used'], null),
    ...stampsOf(row, nowMs),
  }
}

export function configOf(row: OldRow, nowMs: number): BackupRow<'storage_config'> {
  const provider = text(row['provider_type'])
  const seconds = whole(row['signature_expires_in']) || DEFAULT_SIGNATURE_SECONDS
  return {
    id: text(row['id']),
    name: text(row['name']).trim(),
    provider_type: provider === 'Other S3 Compatible' ? 'Other' : provider,
    endpoint_url: text(row['endpoint_url']).trim(),
    bucket_name: text(row['bucket_name']).trim(),
    region: text(row['region']).trim(),
    path_style: bit(row['path_style']),
    default_folder: text(row['default_folder']),
    is_public: bit(row['is_public']),
    is_default: bit(row['is_default']),
    total_storage_bytes: wholeOrNull(row['total_storage_bytes']) ?? defaultCapacity(provider),
    custom_host: textOrNull(row['custom_host']),
    signature_expires_in: Math.min(seconds, SIGNATURE_MAX_SECONDS),
    last_used_at_ms: instantOr(row['last_used'], null),
    ...stampsOf(row, nowMs),
  }
}

export const mountOf = (row: OldRow, nowMs: number): BackupRow<'mount'> => ({
  id: text(row['id']),
  name: text(row['name']).trim(),
  storage_type: text(row['storage_type']) || 'S3',
  storage_config_id: textOrNull(row['storage_config_id']),
  mount_path: pathOf(row['mount_path']),
  remark: textOrNull(row['remark']),
  is_active: bit(row['is_active']),
  created_by: creatorOf(row['created_by']) ?? '',
  sort_order: Math.trunc(number(row['sort_order'])),
  cache_ttl: whole(row['cache_ttl']),
  last_used_at_ms: instantOr(row['last_used'], null),
  ...stampsOf(row, nowMs),
})

/** Converts the two settings that both systems have; returns `null` for other settings and for an unknown mode. */
export function settingOf(row: OldRow, nowMs: number): BackupRow<'setting'> | null {
  const value = text(row['value'])
  const updated_at_ms = instantOr(row['updated_at'], nowMs)
  if (row['key'] === 'max_upload_size') return { key: 'max_upload_size', value, updated_at_ms }
  const mode = WEBDAV_UPLOAD_MODES.find((known) => known === value)
  if (row['key'] === 'webdav_upload_mode' && mode)
    return { key: 'webdav_upload_mode', value: mode, updated_at_ms }
  return null
}

/** Returns the problem of a converted row; `null` if the row is valid. */
export function unfitOf(kind: Unfit['kind'], row: object, name: string): Unfit | null {
  const misfit = findMisfit(kind, row)
  return misfit && { kind, name, ...misfit }
}
