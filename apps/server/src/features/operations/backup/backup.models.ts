import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import {
  BACKUP_FORMAT,
  BACKUP_KINDS,
  BACKUP_VERSION,
  type BackupCounts,
  type BackupHeader,
  type BackupKind,
  backupErrors,
  backupHeader,
  OPENING_GRACE_MAX_MINUTES,
  PASTE_CONTENT_TYPES,
  SEALED_POLICIES,
  SIGNATURE_MAX_SECONDS,
  storageErrors,
  UPLOAD_SIZE_LIMIT_MB,
  WEBDAV_UPLOAD_MODES,
} from '@dropleaf/contract'
import { parseForeignKey } from '@dropleaf/storage'
import * as z from 'zod/mini'
import { catalogueOf } from '../../../messages/index.ts'
import { parseMeasured } from '../../../lib/bodies/json-gauge.ts'
import { AppError } from '../../../lib/app-error.ts'
import { parseVirtualPath } from '../../../lib/paths.ts'
import { createSecrets, type Secrets } from '../../../lib/secrets.ts'
import { requireMountPath } from '../../foundation/mounts/mounts.models.ts'
import { bundleRow, revisionRow } from './bundle-rows.models.ts'
import { bit, count, fits, id, instantMs, share, stamps, text } from './row-fields.models.ts'
import { settleFields } from '../../foundation/storage-configs/storage-configs.models.ts'

const CHECK_TEXT = 'dropleaf'
const CHECK_CONTEXT = 'backup:check'
const KDF = { name: 'scrypt', cost: 32_768, block_size: 8, parallelization: 1 } as const
const KEY_BYTES = 32
const KDF_MEMORY_BYTES = 64 * 1024 * 1024

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

/** Returns functions that encrypt and decrypt the secrets in a file, with a passphrase instead of the master secret. */
async function secretsOf(passphrase: string, salt: string): Promise<Secrets> {
  const options = { N: KDF.cost, r: KDF.block_size, p: KDF.parallelization, maxmem: KDF_MEMORY_BYTES }
  const key = await derive(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), KEY_BYTES, options)
  return createSecrets(key.toString('base64'))
}

/** Creates a salt, and derives a key from it and the passphrase. */
export async function beginSecrets(
  passphrase: string,
): Promise<{ secrets: Secrets; kdf: NonNullable<BackupHeader['kdf']> }> {
  const salt = randomBytes(16).toString('base64url')
  const secrets = await secretsOf(passphrase, salt)
  return { secrets, kdf: { ...KDF, salt, check: secrets.seal(CHECK_TEXT, CHECK_CONTEXT) } }
}

/**
 * Derives the key for the secrets in a file; `null` if the file contains none.
 * @throws {AppError} `backup.passphrase_missing`, `backup.passphrase_wrong`
 */
export async function secretsOfHeader(
  { kdf }: BackupHeader,
  passphrase: string | null,
): Promise<Secrets | null> {
  if (kdf === null) return null
  if (passphrase === null) throw new AppError(backupErrors.passphrase_missing)
  const secrets = await secretsOf(passphrase, kdf.salt)
  try {
    secrets.open(kdf.check, CHECK_CONTEXT)
  } catch (cause) {
    throw new AppError(backupErrors.passphrase_wrong, { cause })
  }
  return secrets
}

/** Returns the encryption context of a row's secrets, which prevents decrypting them in another row. */
export const secretsContext = (kind: BackupKind, id: string): string => `backup:${kind}:${id}`

export const noCounts = (): BackupCounts =>
  Object.fromEntries(BACKUP_KINDS.map((kind) => [kind, 0])) as BackupCounts

const CONTENT_MAX_CHARACTERS = 16 * 1024 * 1024

/** Maps error codes to the invalid field of a storage. */
const STORAGE_FIELDS: ReadonlyMap<string, string> = new Map([
  [storageErrors.endpoint_invalid.code, 'endpoint_url'],
  [storageErrors.bucket_invalid.code, 'bucket_name'],
  [storageErrors.folder_invalid.code, 'bucket_name'],
  [storageErrors.custom_host_invalid.code, 'custom_host'],
  [storageErrors.default_folder_invalid.code, 'default_folder'],
])

function fieldOfStorage(error: unknown): string[] {
  const field = error instanceof AppError ? STORAGE_FIELDS.get(error.spec.code) : undefined
  return field === undefined ? [] : [field]
}

const configRow = z
  .strictObject({
    id,
    name: text().check(z.minLength(1)),
    provider_type: text(),
    endpoint_url: text(),
    bucket_name: text(),
    region: text(),
    path_style: bit,
    default_folder: text(),
    is_public: bit,
    is_default: bit,
    total_storage_bytes: z.nullable(count),
    custom_host: z.nullable(text()),
    signature_expires_in: z.int().check(z.minimum(1), z.maximum(SIGNATURE_MAX_SECONDS)),
    last_used_at_ms: z.nullable(instantMs),
    ...stamps,
  })
  .check(fits(settleFields, fieldOfStorage))

const settingRow = z.discriminatedUnion('key', [
  z.strictObject({
    key: z.literal('max_upload_size'),
    value: text().check(
      z.refine(
        (value) => /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= UPLOAD_SIZE_LIMIT_MB,
      ),
    ),
    updated_at_ms: instantMs,
  }),
  z.strictObject({
    key: z.literal('webdav_upload_mode'),
    value: z.enum(WEBDAV_UPLOAD_MODES),
    updated_at_ms: instantMs,
  }),
  z.strictObject({
    key: z.literal('show_share_files'),
    value: z.enum(['true', 'false']),
    updated_at_ms: instantMs,
  }),
  z.strictObject({
    key: z.literal('sealed_policy'),
    value: z.enum(SEALED_POLICIES),
    updated_at_ms: instantMs,
  }),
  z.strictObject({
    key: z.literal('opening_grace_minutes'),
    value: text().check(
      z.refine((value) => /^\d{1,4}$/.test(value) && Number(value) <= OPENING_GRACE_MAX_MINUTES),
    ),
    updated_at_ms: instantMs,
  }),
])

const rowSchemas = {
  admin: z.strictObject({ id, username: text().check(z.minLength(1)), ...stamps }),
  setting: settingRow,
  storage_config: configRow,
  api_key: z.strictObject({
    id,
    name: text().check(z.minLength(1)),
    text_permission: bit,
    file_permission: bit,
    mount_permission: bit,
    mount_read_only: bit,
    basic_path: text().check(z.refine((value) => parseVirtualPath(value) === value)),
    expires_at_ms: z.nullable(instantMs),
    last_used_at_ms: z.nullable(instantMs),
    ...stamps,
  }),
  mount: z.strictObject({
    id,
    name: text().check(z.minLength(1)),
    storage_type: text(),
    storage_config_id: z.nullable(text()),
    mount_path: text().check(fits(requireMountPath)),
    remark: z.nullable(text()),
    is_active: bit,
    created_by: text(),
    sort_order: z.int().check(z.minimum(-2_147_483_648), z.maximum(2_147_483_647)),
    cache_ttl: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
    last_used_at_ms: z.nullable(instantMs),
    ...stamps,
  }),
  paste: z.strictObject({
    ...share,
    content: text(CONTENT_MAX_CHARACTERS),
    content_type: z.enum(PASTE_CONTENT_TYPES),
  }),
  bundle: bundleRow,
  bundle_revision: revisionRow,
  file: z.strictObject({
    ...share,
    /** These fields are absent in backups of earlier versions. */
    bundle_id: z.optional(z.nullable(id)),
    object_number: z.optional(z.nullable(count)),
    part_size_bytes: z.optional(z.nullable(count)),
    filename: text().check(z.minLength(1)),
    storage_config_id: text(),
    storage_key: text().check(fits(parseForeignKey)),
    // Accepts only printable ASCII, because the type is sent as a header.
    mimetype: text().check(z.regex(/^[\x20-\x7e]*$/)),
    size_bytes: count,
    etag: z.nullable(text()),
    sha256: z.nullable(text()),
    use_proxy: bit,
    committed_at_ms: instantMs,
    upload_kind: z.enum(['signed', 'streamed']),
    last_view_at_ms: z.nullable(instantMs),
    owns_object: bit,
  }),
}
export type BackupRow<Kind extends BackupKind> = z.infer<(typeof rowSchemas)[Kind]>

/** An invalid field, and the reason as text for the operator. */
export interface Misfit {
  readonly field: string
  readonly reason: string
}

/** Returns the first invalid field of a row; `null` if all fields are valid. */
export function findMisfit(kind: BackupKind, row: object): Misfit | null {
  const read = z.safeParse(rowSchemas[kind], row, { error: catalogueOf('en').ofSchemas })
  const issue = read.success ? undefined : read.error.issues[0]
  return issue ? { field: issue.path.join('.'), reason: issue.message } : null
}

const secretText = z.nullable(text())
/** Secrets of a share that has a password, a PIN, or both. */
const shareSecrets = z.strictObject({
  password: secretText,
  password_hash: secretText,
  pin_hash: z.optional(secretText),
})
const secretSchemas = {
  admin: z.strictObject({ password_hash: text() }),
  setting: z.never(),
  storage_config: z.strictObject({ access_key_id: secretText, secret_access_key: secretText }),
  api_key: z.strictObject({ key: secretText }),
  mount: z.never(),
  paste: shareSecrets,
  bundle: shareSecrets,
  bundle_revision: z.never(),
  file: shareSecrets,
}
export type BackupSecrets<Kind extends BackupKind> = z.infer<(typeof secretSchemas)[Kind]>

/** One row of a backup. `hasSecret` says whether the exported row has secrets; the file need not contain them. */
export type BackupEntry = {
  [Kind in BackupKind]: {
    readonly kind: Kind
    readonly row: BackupRow<Kind>
    readonly hasSecret: boolean
    readonly secrets: BackupSecrets<Kind> | null
  }
}[BackupKind]

const lineSchema = z.strictObject({
  kind: z.enum(BACKUP_KINDS),
  row: z.unknown(),
  has_secret: z.boolean(),
  secrets: z.optional(z.string()),
})

const lastLineSchema = z.strictObject({
  kind: z.literal('end'),
  lines: z.int(),
  digest: z.string(),
  /** Signature of the digest with the passphrase's key; `null` without a passphrase. */
  signature: z.nullable(z.string()),
})
export type BackupEnd = z.infer<typeof lastLineSchema>

const ID_FIELDS: Partial<Record<BackupKind, string>> = { setting: 'key', bundle_revision: 'bundle_id' }

export const idOf = (kind: BackupKind, row: object): string =>
  (row as Record<string, string>)[ID_FIELDS[kind] ?? 'id'] as string

const parsed = (line: string): unknown => {
  try {
    return parseMeasured(line)
  } catch {
    // `undefined` matches no schema, so invalid JSON is rejected.
    return undefined
  }
}

/** @throws {AppError} `backup.not_a_backup`, `backup.version_unknown` */
export function parseHeader(line: string): BackupHeader {
  const value = parsed(line)
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  if (format !== BACKUP_FORMAT) throw new AppError(backupErrors.not_a_backup)
  if (version !== BACKUP_VERSION) throw new AppError(backupErrors.version_unknown)
  const header = z.safeParse(backupHeader, value)
  if (!header.success || header.data.has_secrets !== (header.data.kdf !== null))
    throw new AppError(backupErrors.not_a_backup)
  return header.data
}

/** Parses the last line; returns `null` for any other line. */
export function parseEnd(line: string): BackupEnd | null {
  const end = z.safeParse(lastLineSchema, parsed(line))
  return end.success ? end.data : null
}

/** @throws {AppError} `backup.line_invalid` */
export function parseEntry(line: string, lineNumber: number, opener: Secrets | null): BackupEntry {
  const refuse = (cause: unknown) =>
    new AppError(backupErrors.line_invalid, { params: { line: lineNumber }, cause })
  const outer = z.safeParse(lineSchema, parsed(line))
  if (!outer.success) throw refuse(outer.error)
  const { kind, has_secret: hasSecret, secrets: sealed } = outer.data
  const row = z.safeParse(rowSchemas[kind], outer.data.row)
  if (!row.success) throw refuse(row.error)
  if (sealed === undefined || opener === null)
    return { kind, row: row.data, hasSecret, secrets: null } as BackupEntry
  let opened: unknown
  try {
    opened = parsed(opener.open(sealed, secretsContext(kind, idOf(kind, row.data))))
  } catch (cause) {
    throw refuse(cause)
  }
  const secrets = z.safeParse(secretSchemas[kind], opened)
  if (!secrets.success) throw refuse(secrets.error)
  return { kind, row: row.data, hasSecret, secrets: secrets.data } as BackupEntry
}
