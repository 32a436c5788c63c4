import * as z from 'zod/mini'
import { defineErrors } from '../core/errors.ts'
import { route } from '../core/route.ts'
import { optionalFlag } from '../core/wire.ts'

export const backupErrors = defineErrors('backup', {
  not_a_backup: 400,
  version_unknown: 400,
  passphrase_missing: 400,
  passphrase_wrong: 400,
  /** The file was truncated or altered. */
  broken_off: 400,
  /** A line does not belong to a backup; the error includes the line number. */
  line_invalid: 400,
  too_large: 413,
  /** The import would delete existing data, but the request does not allow that. */
  conflict: 409,
})

export const BACKUP_FORMAT = 'dropleaf-backup'
export const BACKUP_VERSION = 1
export const BACKUP_PASSPHRASE_MIN_LENGTH = 12
export const BACKUP_PASSPHRASE_MAX_LENGTH = 256
/**
 * Header for the passphrase of an import. The value is percent-encoded, because header values are limited to Latin-1.
 */
export const BACKUP_PASSPHRASE_HEADER = 'x-backup-passphrase'

/** Kinds of rows, in the order of the backup's lines. Each row comes after all rows to which it refers. */
export const BACKUP_KINDS = [
  'admin',
  'setting',
  'storage_config',
  'api_key',
  'mount',
  'paste',
  'bundle',
  'bundle_revision',
  'file',
] as const
export type BackupKind = (typeof BACKUP_KINDS)[number]

const countsPerKind = z.record(z.enum(BACKUP_KINDS), z.number())
export type BackupCounts = z.infer<typeof countsPerKind>

/** Backups of earlier versions do not count every kind. */
const countsThen = z.pipe(
  z.transform((value) =>
    typeof value === 'object' && value !== null
      ? { ...Object.fromEntries(BACKUP_KINDS.map((kind) => [kind, 0])), ...value }
      : value,
  ),
  countsPerKind,
)

export const backupHeader = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.literal(BACKUP_VERSION),
  product: z.string().check(z.maxLength(100)),
  created_at: z.string().check(z.maxLength(40)),
  /** Number of rows of each kind when the export began. */
  counts: countsThen,
  has_secrets: z.boolean(),
  /** How the encryption key is derived from the passphrase; `null` if there are no secrets. */
  kdf: z.nullable(
    z.object({
      name: z.literal('scrypt'),
      cost: z.literal(32_768),
      block_size: z.literal(8),
      parallelization: z.literal(1),
      salt: z.string().check(z.regex(/^[\w-]{22}$/)),
      /** Encrypted value that can be decrypted only with the correct passphrase. */
      check: z.string().check(z.maxLength(200)),
    }),
  ),
})
export type BackupHeader = z.infer<typeof backupHeader>

export const BACKUP_SKIP_REASONS = [
  'id_exists',
  'name_exists',
  'path_exists',
  'key_exists',
  'slug_exists',
  'folder_exists',
  'object_exists',
  'setting_exists',
  'storage_missing',
  /** The bundle of the revision or object was skipped. */
  'bundle_missing',
  /** The revision is later than the current revision of its bundle. */
  'revision_ahead',
  'password_missing',
] as const
export type BackupSkipReason = (typeof BACKUP_SKIP_REASONS)[number]

/**
 * What is missing in an imported row. `credentials`: the storage's credentials must be entered again. `new_key`: the
 * API key got a new secret. `locked`: the share cannot be opened until it gets a new password.
 * `revision_missing`: the bundle cannot be opened until another revision is published.
 */
const BACKUP_GAPS = ['credentials', 'new_key', 'locked', 'revision_missing'] as const
export type BackupGap = (typeof BACKUP_GAPS)[number]

/** Maximum number of skipped or incomplete rows that a reply lists. The counts in the reply include all such rows. */
export const BACKUP_NAMED_MAX = 500

const importResult = z.object({
  created_at: z.string(),
  imported: countsPerKind,
  skippedCounts: countsPerKind,
  skipped: z.array(
    z.object({ kind: z.enum(BACKUP_KINDS), name: z.string(), reason: z.enum(BACKUP_SKIP_REASONS) }),
  ),
  gapCounts: countsPerKind,
  gaps: z.array(z.object({ kind: z.enum(BACKUP_KINDS), name: z.string(), gap: z.enum(BACKUP_GAPS) })),
})
export type BackupImport = z.infer<typeof importResult>

export const backupRoutes = {
  export: route({
    method: 'POST',
    path: '/api/admin/backup/export',
    access: 'admin',
    summary:
      'All metadata as one file of JSON lines; it contains secrets only with a passphrase, and no objects of storages.',
    body: z.nullish(
      z.object({
        passphrase: z.nullish(
          z
            .string()
            .check(z.minLength(BACKUP_PASSPHRASE_MIN_LENGTH), z.maxLength(BACKUP_PASSPHRASE_MAX_LENGTH)),
        ),
      }),
    ),
    replyType: 'application/x-ndjson',
    errors: [],
  }),
  import: route({
    method: 'POST',
    path: '/api/admin/backup/import',
    access: 'admin',
    summary:
      'Import such a file as the raw body; the passphrase, percent-encoded, in the header x-backup-passphrase. `merge` skips existing entries, `replace` replaces them, which needs `confirm` unless there are none. All or nothing.',
    query: z.object({ mode: z._default(z.enum(['merge', 'replace']), 'merge'), confirm: optionalFlag }),
    bodyType: '*',
    reply: z.object({ data: importResult }),
    errors: Object.values(backupErrors),
  }),
}
