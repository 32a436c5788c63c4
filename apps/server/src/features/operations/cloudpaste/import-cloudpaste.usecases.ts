import { type BackupImport, SHOWN_PASSWORD_MAX_LENGTH } from '@dropleaf/contract'
import type { Needs, UploadNeeds } from '../../../context.ts'
import { toInstant } from '../../../lib/clock.ts'
import { forgetCached } from '../../../storage/cache-notices.ts'
import type { BackupEntry } from '../backup/backup.models.ts'
import { Intake } from '../backup/intake.usecases.ts'
import { holdImported } from '../../foundation/restored/restored.usecases.ts'
import { distrustIndex } from '../../foundation/object-index/index-status.usecases.ts'
import type { CloudPasteDatabase } from './cloudpaste-database.ts'
import {
  configOf,
  fileOf,
  hasGivenSlug,
  keyOf,
  mountOf,
  oldPassword,
  type OldPassword,
  type OldRow,
  openOldSecret,
  pasteOf,
  settingOf,
  type Unfit,
  unfitOf,
  findOddName,
  findUnreadable,
} from './cloudpaste.models.ts'
import { freeKeyName, mendConfig, mendMount } from './mending.models.ts'

/** Number of shares that are in memory, and whose passwords are hashed, at the same time. */
const SHARES_AT_ONCE = 50

/** A row that was imported with changes. */
export interface Altered {
  readonly kind: Unfit['kind']
  readonly name: string
  /** Description of the change, for the operator. */
  readonly change: string
}

const TOO_LONG = `has more than ${SHOWN_PASSWORD_MAX_LENGTH} characters, so nobody could show it here`

const KEYLESS = 'it has no access key id or secret access key: enter them in the admin panel'

export interface CloudPasteImport {
  /** Result of the import, including everything that was skipped. */
  readonly result: BackupImport
  /** Rows that cannot be imported because they violate this server's rules. */
  readonly unfit: readonly Unfit[]
  readonly altered: readonly Altered[]
}

interface ImportOrder {
  /**
   * The administrator who becomes the owner of what CloudPaste's administrators created, except if an administrator of
   * this server has the same id or name.
   */
  readonly adminId: string
  /** Whether this is a dry run, which is rolled back at the end. */
  readonly isTrial: boolean
}

/** Thrown to roll back a dry run; contains its result. */
class TrialOver extends Error {
  readonly outcome: CloudPasteImport
  constructor(outcome: CloudPasteImport) {
    super('Nothing is kept of a trial.')
    this.outcome = outcome
  }
}

async function hashed(ctx: Needs<'passwords'>, password: Exclude<OldPassword, { kind: 'unreadable' }>) {
  if (password.kind === 'none') return null
  if (password.kind === 'digest')
    return { password: null, password_hash: await ctx.passwords.hashDigest(password.digest) }
  return { password: password.password, password_hash: await ctx.passwords.hash(password.password) }
}

const nameOf = (row: OldRow, field: string) => {
  const value = row[field]
  return typeof value === 'string' ? value : String(row['id'])
}

function nameOfEntry(entry: BackupEntry): string {
  if ('slug' in entry.row) return entry.row.slug
  if ('mount_path' in entry.row) return entry.row.mount_path
  return 'name' in entry.row ? entry.row.name : ''
}

/** An entry to import, with descriptions of the changes made to it. */
type Taking = BackupEntry & { readonly changes?: readonly string[] }

/** Yields everything except shares, which refer to it: administrators, settings, storages, API keys and mounts. */
function* smallEntries(from: CloudPasteDatabase, nowMs: number): Generator<Taking | Unfit> {
  for (const row of from.rows('admins')) {
    const stamps = { created_at_ms: nowMs, updated_at_ms: nowMs }
    const admin = { id: String(row['id']), username: nameOf(row, 'username'), ...stamps }
    yield { kind: 'admin', row: admin, hasSecret: true, secrets: null }
  }
  for (const old of from.rows('system_settings')) {
    const row = settingOf(old, nowMs)
    if (row)
      yield unfitOf('setting', row, row.key) ?? { kind: 'setting', row, hasSecret: false, secrets: null }
  }
  for (const old of from.rows('s3_configs')) {
    const { row, changes } = mendConfig(configOf(old, nowMs))
    const secrets = {
      access_key_id: openOldSecret(old['access_key_id']) || null,
      secret_access_key: openOldSecret(old['secret_access_key']) || null,
    }
    yield (
      unfitOf('storage_config', row, row.name) ?? {
        kind: 'storage_config',
        row,
        hasSecret: true,
        secrets,
        changes,
      }
    )
  }
  for (const old of from.rows('api_keys')) {
    const row = keyOf(old, nowMs)
    const misfit = findOddName('key', old['key']) ?? findUnreadable(old)
    const secrets = { key: String(old['key']) }
    yield misfit
      ? { kind: 'api_key', name: row.name, ...misfit }
      : (unfitOf('api_key', row, row.name) ?? { kind: 'api_key', row, hasSecret: true, secrets })
  }
  for (const old of from.rows('storage_mounts')) {
    const { row, changes } = mendMount(mountOf(old, nowMs))
    yield (
      unfitOf('mount', row, row.mount_path) ?? {
        kind: 'mount',
        row,
        hasSecret: false,
        secrets: null,
        changes,
      }
    )
  }
}

async function shareEntry(
  ctx: Needs<'clock' | 'passwords'>,
  kind: 'paste' | 'file',
  old: OldRow,
): Promise<BackupEntry | Unfit> {
  const nowMs = ctx.clock.nowMs()
  const row = kind === 'paste' ? pasteOf(old, nowMs) : fileOf(old, nowMs)
  const misfit = findOddName('slug', old['slug']) ?? findUnreadable(old)
  if (misfit) return { kind, name: row.slug, ...misfit }
  const unfit = unfitOf(kind, row, row.slug)
  if (unfit) return unfit
  const password = oldPassword(old['password'], old['plain_password'])
  if (password.kind === 'unreadable') return { kind, name: row.slug, field: 'password', reason: 'is no text' }
  if (password.kind === 'plain' && password.password.length > SHOWN_PASSWORD_MAX_LENGTH)
    return { kind, name: row.slug, field: 'password', reason: TOO_LONG }
  const secrets = await hashed(ctx, password)
  return { kind, row, hasSecret: secrets !== null, secrets } as BackupEntry
}

/** Yields shares in the order of import. An object can have only one link, so files with a chosen link come first. */
function* sharesOf(from: CloudPasteDatabase, kind: 'paste' | 'file'): Generator<OldRow> {
  if (kind === 'paste') return yield* from.shares('pastes')
  for (const isGiven of [false, true])
    for (const row of from.shares('files')) if (hasGivenSlug(row) === isGiven) yield row
}

async function* shareEntries(
  ctx: Needs<'clock' | 'passwords'>,
  from: CloudPasteDatabase,
  kind: 'paste' | 'file',
): AsyncGenerator<BackupEntry | Unfit> {
  let batch: OldRow[] = []
  for (const row of sharesOf(from, kind)) {
    batch.push(row)
    if (batch.length < SHARES_AT_ONCE) continue
    yield* await Promise.all(batch.map((old) => shareEntry(ctx, kind, old)))
    batch = []
  }
  yield* await Promise.all(batch.map((old) => shareEntry(ctx, kind, old)))
}

/**
 * Imports a CloudPaste database in one transaction. Existing data stays. Objects stay in their buckets. No object is
 * deleted until an administrator confirms that CloudPaste no longer uses them.
 * @throws {CloudPasteError} if the database of CloudPaste is damaged
 */
export async function importCloudPaste(
  ctx: UploadNeeds & Needs<'caches' | 'notices'>,
  from: CloudPasteDatabase,
  { adminId, isTrial }: ImportOrder,
): Promise<CloudPasteImport> {
  const createdAt = toInstant(ctx.clock.nowMs())
  try {
    const { configIds, ...outcome } = await ctx.database.transaction(async (trx) => {
      const unfit: Unfit[] = []
      const altered: Altered[] = []
      const intake = await Intake.begin(ctx, trx, {
        createdAt,
        actor: { id: adminId },
        namedMax: Infinity,
        renameKey(given, taken) {
          const name = freeKeyName(given, taken)
          const change = `name: it is called ${JSON.stringify(name)} here, as another key has its name`
          altered.push({ kind: 'api_key', name: given, change })
          return name
        },
      })
      const take = async (entry: Taking | Unfit): Promise<void> => {
        if (!('row' in entry)) return void unfit.push(entry)
        const isIn = await intake.take(entry)
        const { kind, changes = [] } = entry
        if (!isIn || kind === 'admin') return
        for (const change of changes) altered.push({ kind, name: nameOfEntry(entry), change })
      }
      for (const entry of smallEntries(from, ctx.clock.nowMs())) await take(entry)
      for (const kind of ['paste', 'file'] as const)
        for await (const entry of shareEntries(ctx, from, kind)) await take(entry)
      const taken = await intake.finish()
      for (const { kind, name, gap } of taken.result.gaps)
        if (kind === 'storage_config' && gap === 'credentials') altered.push({ kind, name, change: KEYLESS })
      if (isTrial) throw new TrialOver({ result: taken.result, unfit, altered })
      const { configIds } = taken
      await holdImported(trx, { configIds, savedAt: createdAt, nowMs: ctx.clock.nowMs() })
      return { ...taken, unfit, altered }
    })
    await forgetCached(ctx.notices, null)
    for (const id of configIds) await distrustIndex(ctx, id)
    return outcome
  } catch (error) {
    if (error instanceof TrialOver) return error.outcome
    throw error
  }
}
