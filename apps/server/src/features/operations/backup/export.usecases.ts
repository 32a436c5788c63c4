import { createHash } from 'node:crypto'
import {
  BACKUP_FORMAT,
  BACKUP_KINDS,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupKind,
} from '@dropleaf/contract'
import type { Selectable } from 'kysely'
import type { Needs } from '../../../context.ts'
import { toInstant } from '../../../lib/clock.ts'
import type { Secrets } from '../../../lib/secrets.ts'
import { PRODUCT_VERSION } from '../../../lib/version.ts'
import { type CredentialField, credentialContext } from '../../../storage/drivers.ts'
import { apiKeySealContext } from '../../foundation/identity/api-keys.usecases.ts'
import { bundlePasswordContext } from '../../capabilities/bundles/bundles.models.ts'
import { sealContext as filePasswordContext } from '../../capabilities/files/uploads/uploads.usecases.ts'
import { pastePasswordContext } from '../../capabilities/pastes/pastes.usecases.ts'
import { SETTING_KEYS } from '../../foundation/settings/settings.usecases.ts'
import {
  type BackupEnd,
  type BackupRow,
  type BackupSecrets,
  beginSecrets,
  idOf,
  noCounts,
  secretsContext,
} from './backup.models.ts'
import { backupRepository, type TableOf } from './backup.repository.ts'

/** A row split into public fields and secrets. */
type Split<Kind extends BackupKind> = {
  readonly row: BackupRow<Kind>
  readonly secrets: BackupSecrets<Kind> | null
}
type Stored<Kind extends BackupKind> = Selectable<TableOf<Kind>>

/** Decrypts a secret; returns `null` if decryption fails, so that one damaged secret does not prevent the backup. */
function openOrNull(ctx: Needs<'log' | 'secrets'>, sealed: string | null, context: string): string | null {
  if (sealed === null) return null
  try {
    return ctx.secrets.open(sealed, context)
  } catch (error) {
    ctx.log.warn({ err: error, context }, 'a stored secret cannot be opened and is not in the backup')
    return null
  }
}

function without<Row extends object, Field extends keyof Row>(
  row: Row,
  fields: readonly Field[],
): Omit<Row, Field> {
  const rest: Partial<Row> = { ...row }
  for (const field of fields) delete rest[field]
  return rest as Omit<Row, Field>
}

const splitAdmin = (row: Stored<'admin'>): Split<'admin'> => ({
  row: without(row, ['password_hash']),
  secrets: { password_hash: row.password_hash },
})

function splitConfig(ctx: Needs<'log' | 'secrets'>, row: Stored<'storage_config'>): Split<'storage_config'> {
  const open = (field: CredentialField) =>
    openOrNull(ctx, row[`${field}_sealed`], credentialContext(row.id, field))
  const hasNone = row.access_key_id_sealed === null && row.secret_access_key_sealed === null
  return {
    row: without(row, ['access_key_id_sealed', 'secret_access_key_sealed']) as BackupRow<'storage_config'>,
    secrets: hasNone
      ? null
      : { access_key_id: open('access_key_id'), secret_access_key: open('secret_access_key') },
  }
}

const splitKey = (ctx: Needs<'log' | 'secrets'>, row: Stored<'api_key'>): Split<'api_key'> => ({
  row: without(row, ['key_fingerprint', 'key_sealed']) as BackupRow<'api_key'>,
  secrets: { key: openOrNull(ctx, row.key_sealed, apiKeySealContext(row.id)) },
})

/**
 * Returns a share's password in plain text (for its owner), its hash, and the hash of its PIN; `null` for a share that
 * has neither a password nor a PIN.
 */
function keysOf(
  ctx: Needs<'log' | 'secrets'>,
  row: { password_hash: string | null; password_sealed: string | null; pin_hash: string | null },
  context: string,
) {
  const { password_hash, pin_hash } = row
  if (password_hash === null && pin_hash === null) return null
  const password = openOrNull(ctx, row.password_sealed, context)
  return { password, password_hash, ...(pin_hash === null ? {} : { pin_hash }) }
}

/**
 * Fields that the exported row of a share lacks: they are among its secrets, are recomputed by the import, or are valid
 * on this server only, such as the time until which a device can reopen the share.
 */
const KEPT_HERE = ['password_hash', 'password_sealed', 'pin_hash', 'grace_until_ms', 'search_text'] as const
/**
 * Files and bundles also have a generation. It is not exported, because another server does not accept the tickets of
 * this server and starts with a new generation.
 */
const KEPT_WITH_LINKS = [...KEPT_HERE, 'generation'] as const

const splitPaste = (ctx: Needs<'log' | 'secrets'>, row: Stored<'paste'>): Split<'paste'> => ({
  row: without(row, KEPT_HERE),
  secrets: keysOf(ctx, row, pastePasswordContext(row.id)),
})

const splitBundle = (ctx: Needs<'log' | 'secrets'>, row: Stored<'bundle'>): Split<'bundle'> => ({
  row: without(row, KEPT_WITH_LINKS),
  secrets: keysOf(ctx, row, bundlePasswordContext(row.id)),
})

const UPLOAD_FIELDS = ['takes_slug', 'receiving_until_ms', 'upload_expires_at_ms'] as const

const splitFile = (ctx: Needs<'log' | 'secrets'>, row: Stored<'file'>): Split<'file'> => ({
  row: without(row, [...KEPT_WITH_LINKS, ...UPLOAD_FIELDS]) as BackupRow<'file'>,
  secrets: keysOf(ctx, row, filePasswordContext(row.id)),
})

const lineOf = (kind: BackupKind, split: Split<BackupKind>, sealer: Secrets | null): string =>
  JSON.stringify({
    kind,
    row: split.row,
    has_secret: split.secrets !== null,
    ...(split.secrets !== null && sealer !== null
      ? { secrets: sealer.seal(JSON.stringify(split.secrets), secretsContext(kind, idOf(kind, split.row))) }
      : {}),
  })

async function* rowLines(
  ctx: Needs<'db' | 'log' | 'secrets'>,
  sealer: Secrets | null,
): AsyncGenerator<string> {
  const repository = backupRepository(ctx.db)
  for (const row of await repository.admins()) yield lineOf('admin', splitAdmin(row), sealer)
  for (const row of await repository.settings(SETTING_KEYS))
    yield lineOf('setting', { row: row as BackupRow<'setting'>, secrets: null }, sealer)
  for (const row of await repository.configs()) yield lineOf('storage_config', splitConfig(ctx, row), sealer)
  for (const row of await repository.keys()) yield lineOf('api_key', splitKey(ctx, row), sealer)
  for (const row of await repository.mounts())
    yield lineOf('mount', { row: row as BackupRow<'mount'>, secrets: null }, sealer)
  for await (const row of repository.pastes()) yield lineOf('paste', splitPaste(ctx, row), sealer)
  // Numbers of the current revisions, keyed by exported bundle. Later revisions, published during the export, are left
  // out.
  const current = new Map<string, number>()
  for await (const row of repository.bundles()) {
    current.set(row.id, row.revision)
    yield lineOf('bundle', splitBundle(ctx, row), sealer)
  }
  for await (const row of repository.revisions(current))
    yield lineOf('bundle_revision', { row, secrets: null }, sealer)
  for await (const row of repository.files()) yield lineOf('file', splitFile(ctx, row), sealer)
}

async function headerOf(ctx: Needs<'clock' | 'db'>, kdf: BackupHeader['kdf']): Promise<BackupHeader> {
  const counts = noCounts()
  for (const kind of BACKUP_KINDS) counts[kind] = await backupRepository(ctx.db).count(kind)
  counts.setting = (await backupRepository(ctx.db).settings(SETTING_KEYS)).length
  return {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    product: PRODUCT_VERSION,
    created_at: toInstant(ctx.clock.nowMs()),
    counts,
    has_secrets: kdf !== null,
    kdf,
  }
}

/**
 * Exports the rows of all kinds in `BACKUP_KINDS` line by line, including the contents of texts, but no objects. A slow
 * client does not hold a transaction open. Without a passphrase, the export contains no secrets.
 */
export async function* exportBackup(
  ctx: Needs<'clock' | 'db' | 'log' | 'secrets'>,
  passphrase: string | null,
): AsyncGenerator<string> {
  const begun = passphrase === null ? null : await beginSecrets(passphrase)
  const sealer = begun?.secrets ?? null
  const hash = createHash('sha256')
  let lines = 0
  const noted = (line: string) => {
    hash.update(line).update('\n')
    lines += 1
    return `${line}\n`
  }
  yield noted(JSON.stringify(await headerOf(ctx, begun?.kdf ?? null)))
  for await (const line of rowLines(ctx, sealer)) yield noted(line)
  const digest = hash.digest('hex')
  const end: BackupEnd = { kind: 'end', lines, digest, signature: sealer?.sign(digest) ?? null }
  yield `${JSON.stringify(end)}\n`
}
