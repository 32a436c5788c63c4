import {
  BACKUP_NAMED_MAX,
  API_KEY_GENERATED_LENGTH,
  type BackupGap,
  type BackupImport,
  type BackupKind,
  type BackupSkipReason,
  LOCAL_DISK_PROVIDER,
} from '@dropleaf/contract'
import type { Insertable } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { randomText } from '../../../lib/ids.ts'
import { pasteSearchText, searchText } from '../../../lib/search-text.ts'
import type { Db, Schema } from '../../../schema.ts'
import { type CredentialField, credentialContext } from '../../../storage/drivers.ts'
import { apiKeySealContext } from '../../foundation/identity/api-keys.usecases.ts'
import { type AdminActor, keyIdOfCreator } from '../../foundation/identity/actor.models.ts'
import { sealContext as filePasswordContext } from '../../capabilities/files/uploads/uploads.usecases.ts'
import { pastePasswordContext } from '../../capabilities/pastes/pastes.usecases.ts'
import { type BackupEntry, noCounts } from './backup.models.ts'
import { backupRepository } from './backup.repository.ts'

type EntryOf<Kind extends BackupKind> = Extract<BackupEntry, { kind: Kind }>
type ShareKind = 'paste' | 'file'

const BATCH_ROWS = 100
const BATCH_CHARACTERS = 4 * 1024 * 1024
/** No password has this hash: the share opens to nobody until its owner gives it a new one. */
const LOCKED = '!'

interface Intake {
  /** @returns whether it is in already; shares go in later. */
  take(entry: BackupEntry): Promise<boolean>
  finish(): Promise<{ result: BackupImport; configIds: string[] }>
}

export interface IntakeOrder {
  readonly createdAt: string
  readonly actor: Pick<AdminActor, 'id'>
  /** How many things that are skipped, or lack their secret, the result names. */
  readonly namedMax?: number
  /** A name for a key whose own is taken; without it such a key is skipped. */
  readonly renameKey?: (name: string, taken: ReadonlySet<string>) => string
}

/** What became of each row, counted in full and named up to a number. */
function createReport(createdAt: string, namedMax: number) {
  const result: BackupImport = {
    created_at: createdAt,
    imported: noCounts(),
    skippedCounts: noCounts(),
    skipped: [],
    gapCounts: noCounts(),
    gaps: [],
  }
  return {
    result,
    imported(kind: BackupKind, count = 1) {
      result.imported[kind] += count
    },
    skip(kind: BackupKind, name: string, reason: BackupSkipReason) {
      result.skippedCounts[kind] += 1
      if (result.skipped.length < namedMax) result.skipped.push({ kind, name, reason })
    },
    gap(kind: BackupKind, name: string, gap: BackupGap) {
      result.gapCounts[kind] += 1
      if (result.gaps.length < namedMax) result.gaps.push({ kind, name, gap })
    },
  }
}

/** Shares that wait to be written together. */
function createBatch<Row>() {
  let rows: Row[] = []
  let characters = 0
  return {
    add(row: Row, size: number) {
      rows.push(row)
      characters += size
    },
    isFull: () => rows.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS,
    take(): Row[] {
      const taken = rows
      rows = []
      characters = 0
      return taken
    },
  }
}

/** Writes the rows of a backup into a transaction. Only what others refer to is remembered, never shares. */
export async function createIntake(
  ctx: AppContext,
  trx: Db,
  { createdAt, actor, namedMax = BACKUP_NAMED_MAX, renameKey }: IntakeOrder,
): Promise<Intake> {
  const repository = backupRepository(trx)
  const report = createReport(createdAt, namedMax)
  /** Id in the file → id here, where they differ. */
  const adminIds = new Map<string, string>()
  const configIds = new Map<string, string>()
  const keyIds = new Map<string, string>()
  const newConfigs: string[] = []
  const knownConfigs = new Map((await repository.configs()).map((config) => [config.id, config]))
  const batches = {
    paste: createBatch<Insertable<Schema['pastes']>>(),
    file: createBatch<Insertable<Schema['files']>>(),
  }

  function creatorHere(creator: string): string {
    const keyId = keyIdOfCreator(creator)
    if (keyId !== null) return `apikey:${keyIds.get(keyId) ?? keyId}`
    return adminIds.get(creator) ?? creator
  }
  const configHere = (id: string): string | null => {
    const here = configIds.get(id) ?? id
    return knownConfigs.has(here) ? here : null
  }

  /** An account that is there keeps its password; one without a password belongs to whoever brings the backup. */
  async function takeAdmin({ row, secrets }: EntryOf<'admin'>): Promise<void> {
    const there = await repository.admins()
    const same = there.find((admin) => admin.id === row.id)
    const namesake = there.find((admin) => admin.username === row.username)
    if (same) report.skip('admin', row.username, 'id_exists')
    else if (namesake) {
      adminIds.set(row.id, namesake.id)
      report.skip('admin', row.username, 'name_exists')
    } else if (secrets === null) {
      adminIds.set(row.id, actor.id)
      report.skip('admin', row.username, 'password_missing')
    } else {
      await repository.insertNew('admin', [{ ...row, password_hash: secrets.password_hash }])
      report.imported('admin')
    }
  }

  async function takeSetting({ row }: EntryOf<'setting'>): Promise<void> {
    if (await repository.insertSetting(row)) {
      report.imported('setting')
      return
    }
    const [there] = await repository.settings([row.key])
    report.skip('setting', row.key, there?.value === row.value ? 'id_exists' : 'setting_exists')
  }

  async function takeConfig({ row, secrets, hasSecret }: EntryOf<'storage_config'>): Promise<void> {
    const known = [...knownConfigs.values()]
    if (knownConfigs.has(row.id)) {
      report.skip('storage_config', row.name, 'id_exists')
      return
    }
    const folder = known.find(
      (config) =>
        config.provider_type === LOCAL_DISK_PROVIDER &&
        row.provider_type === LOCAL_DISK_PROVIDER &&
        config.bucket_name.toLowerCase() === row.bucket_name.toLowerCase(),
    )
    if (folder) {
      configIds.set(row.id, folder.id)
      report.skip('storage_config', row.name, 'folder_exists')
      return
    }
    const sealed = (field: CredentialField) => {
      const plain = secrets?.[field] ?? null
      return plain === null ? null : ctx.secrets.seal(plain, credentialContext(row.id, field))
    }
    const config = {
      ...row,
      is_default: known.some((other) => other.is_default === 1) ? 0 : row.is_default,
      access_key_id_sealed: sealed('access_key_id'),
      secret_access_key_sealed: sealed('secret_access_key'),
    }
    await repository.insertNew('storage_config', [config])
    knownConfigs.set(row.id, config)
    newConfigs.push(row.id)
    report.imported('storage_config')
    if (hasSecret && (config.access_key_id_sealed === null || config.secret_access_key_sealed === null))
      report.gap('storage_config', row.name, 'credentials')
  }

  async function takeKey({ row, secrets }: EntryOf<'api_key'>): Promise<void> {
    const there = await repository.keys()
    const key = secrets?.key ?? randomText(API_KEY_GENERATED_LENGTH)
    const fingerprint = ctx.secrets.fingerprint(key)
    const same = there.find((other) => other.key_fingerprint === fingerprint)
    const taken = new Set(there.map(({ name }) => name))
    if (there.some((other) => other.id === row.id)) report.skip('api_key', row.name, 'id_exists')
    else if (same) {
      keyIds.set(row.id, same.id)
      report.skip('api_key', row.name, 'key_exists')
    } else if (taken.has(row.name) && !renameKey) report.skip('api_key', row.name, 'name_exists')
    else {
      const name = renameKey && taken.has(row.name) ? renameKey(row.name, taken) : row.name
      const key_sealed = ctx.secrets.seal(key, apiKeySealContext(row.id))
      await repository.insertNew('api_key', [{ ...row, name, key_fingerprint: fingerprint, key_sealed }])
      report.imported('api_key')
      if ((secrets?.key ?? null) === null) report.gap('api_key', row.name, 'new_key')
    }
  }

  async function takeMount({ row }: EntryOf<'mount'>): Promise<void> {
    const configId = row.storage_config_id === null ? null : configHere(row.storage_config_id)
    if (row.storage_config_id !== null && configId === null) {
      report.skip('mount', row.mount_path, 'storage_missing')
      return
    }
    const mount = { ...row, storage_config_id: configId, created_by: creatorHere(row.created_by) }
    const inserted = await repository.insertNew('mount', [mount])
    if (inserted.has(row.id)) report.imported('mount')
    else {
      const isThere = (await repository.idsThere('mount', [row.id])).has(row.id)
      report.skip('mount', row.mount_path, isThere ? 'id_exists' : 'path_exists')
    }
  }

  /** Hash for checking and sealed copy for the owner, as they were. */
  function passwordHere({ kind, row, secrets, hasSecret }: EntryOf<ShareKind>) {
    if (!hasSecret) return { password_hash: null, password_sealed: null }
    if (secrets === null) {
      report.gap(kind, row.slug, 'locked')
      return { password_hash: LOCKED, password_sealed: null }
    }
    const context = kind === 'paste' ? pastePasswordContext(row.id) : filePasswordContext(row.id)
    const { password, password_hash } = secrets
    return { password_hash, password_sealed: password === null ? null : ctx.secrets.seal(password, context) }
  }

  async function writeBatch(kind: ShareKind): Promise<void> {
    const rows = batches[kind].take()
    if (rows.length === 0) return
    const inserted = await repository.insertNew(kind, rows)
    report.imported(kind, inserted.size)
    const left = new Set(inserted)
    // What is in the file twice went in once.
    const skipped = rows.filter(({ id }) => !left.delete(id))
    if (skipped.length > 0) {
      const ids = await repository.idsThere(
        kind,
        skipped.map(({ id }) => id),
      )
      const slugs = await repository.slugsThere(
        kind,
        skipped.map(({ slug }) => slug),
      )
      for (const { id, slug } of skipped)
        report.skip(kind, slug, ids.has(id) ? 'id_exists' : slugs.has(slug) ? 'slug_exists' : 'object_exists')
    }
    if (kind === 'file')
      await repository.keepObjects(
        (rows as Insertable<Schema['files']>[])
          .filter(({ id }) => inserted.has(id))
          .map(({ storage_config_id, storage_key }) => ({ configId: storage_config_id, key: storage_key })),
      )
  }

  async function takePaste(entry: EntryOf<'paste'>): Promise<void> {
    const { row } = entry
    const paste = {
      ...row,
      ...passwordHere(entry),
      created_by: row.created_by === null ? null : creatorHere(row.created_by),
      search_text: row.purged_at_ms === null ? pasteSearchText(row.remark, row.content) : '',
    }
    batches.paste.add(paste, row.content.length)
    if (batches.paste.isFull()) await writeBatch('paste')
  }

  async function takeFile(entry: EntryOf<'file'>): Promise<void> {
    const { row } = entry
    const configId = configHere(row.storage_config_id)
    if (configId === null) {
      report.skip('file', row.slug, 'storage_missing')
      return
    }
    const file = {
      ...row,
      ...passwordHere(entry),
      storage_config_id: configId,
      created_by: row.created_by === null ? null : creatorHere(row.created_by),
      upload_expires_at_ms: null,
      takes_slug: null,
      receiving_until_ms: null,
      search_text: row.purged_at_ms === null ? searchText(row.remark, row.filename) : '',
    }
    batches.file.add(file, 0)
    if (batches.file.isFull()) await writeBatch('file')
  }

  function takeEntry(entry: BackupEntry): Promise<void> {
    switch (entry.kind) {
      case 'admin':
        return takeAdmin(entry)
      case 'setting':
        return takeSetting(entry)
      case 'storage_config':
        return takeConfig(entry)
      case 'api_key':
        return takeKey(entry)
      case 'mount':
        return takeMount(entry)
      case 'paste':
        return takePaste(entry)
      case 'file':
        return takeFile(entry)
    }
  }

  return {
    async take(entry) {
      const before = report.result.imported[entry.kind]
      await takeEntry(entry)
      const isShare = entry.kind === 'paste' || entry.kind === 'file'
      return !isShare && report.result.imported[entry.kind] > before
    },
    async finish() {
      await writeBatch('paste')
      await writeBatch('file')
      return { result: report.result, configIds: newConfigs }
    },
  }
}
