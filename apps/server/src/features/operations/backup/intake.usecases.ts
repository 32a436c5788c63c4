import {
  BACKUP_NAMED_MAX,
  API_KEY_GENERATED_LENGTH,
  type BackupImport,
  type BackupKind,
  BUNDLE_UNNAMED_SECONDS,
  LOCAL_DISK_PROVIDER,
} from '@dropleaf/contract'
import type { Insertable } from 'kysely'
import type { Needs } from '../../../context.ts'
import { randomText } from '../../../lib/ids.ts'
import type { Secrets } from '../../../lib/secrets.ts'
import { pasteSearchText, searchText } from '../../../lib/search-text.ts'
import type { Db, Schema } from '../../../schema.ts'
import { type CredentialField, credentialContext } from '../../../storage/drivers.ts'
import { apiKeySealContext } from '../../foundation/identity/api-keys.usecases.ts'
import { type AdminActor, keyIdOfCreator } from '../../foundation/identity/actor.models.ts'
import { bundlePasswordContext, bundleSearchText } from '../../capabilities/bundles/bundles.models.ts'
import { readableManifest } from '../../capabilities/bundles/manifest.models.ts'
import { sealContext as filePasswordContext } from '../../capabilities/files/uploads/uploads.usecases.ts'
import { pastePasswordContext } from '../../capabilities/pastes/pastes.usecases.ts'
import type { BackupEntry } from './backup.models.ts'
import { type BackupRepository, backupRepository, type TableOf } from './backup.repository.ts'
import { IntakeReport, type NewBundle, RowBatch } from './intake.models.ts'

type EntryOf<Kind extends BackupKind> = Extract<BackupEntry, { kind: Kind }>
type BatchedKind = 'paste' | 'file'
type ShareKind = BatchedKind | 'bundle'

const PASSWORD_CONTEXTS = {
  paste: pastePasswordContext,
  bundle: bundlePasswordContext,
  file: filePasswordContext,
}

/** No password has this hash, so the share cannot be opened until its owner sets a new password. */
const LOCKED = '!'

export interface IntakeOrder {
  readonly createdAt: string
  readonly actor: Pick<AdminActor, 'id'>
  /** Maximum length of each list in the result: of skipped rows, and of gaps. */
  readonly namedMax?: number
  /** Returns a new name for an API key whose name is taken. Without this function, such a key is skipped. */
  readonly renameKey?: (name: string, taken: ReadonlySet<string>) => string
}

/**
 * Inserts the rows of a backup in a transaction. Retains in memory only facts about rows to which other rows refer, and
 * one batch of texts and of files.
 */
export class Intake {
  readonly #secrets: Secrets
  readonly #repository: BackupRepository
  readonly #actor: IntakeOrder['actor']
  readonly #renameKey: IntakeOrder['renameKey']
  readonly #report: IntakeReport
  /** Local ids, keyed by the id in the file, for rows whose two ids differ. */
  readonly #adminIds = new Map<string, string>()
  readonly #configIds = new Map<string, string>()
  readonly #keyIds = new Map<string, string>()
  /** The inserted bundles, keyed by id. Revisions and objects of other bundles are skipped. */
  readonly #newBundles = new Map<string, NewBundle>()
  readonly #newConfigs: string[] = []
  readonly #knownConfigs: Map<string, TableOf<'storage_config'>>
  readonly #batches = {
    paste: new RowBatch<Insertable<Schema['pastes']>>(),
    file: new RowBatch<Insertable<Schema['files']>>(),
  }

  static async begin(ctx: Needs<'secrets'>, trx: Db, order: IntakeOrder): Promise<Intake> {
    return new Intake(ctx, trx, { ...order, configs: await backupRepository(trx).configs() })
  }

  private constructor(
    ctx: Needs<'secrets'>,
    trx: Db,
    {
      createdAt,
      actor,
      namedMax = BACKUP_NAMED_MAX,
      renameKey,
      configs,
    }: IntakeOrder & { readonly configs: ReadonlyArray<TableOf<'storage_config'>> },
  ) {
    this.#secrets = ctx.secrets
    this.#repository = backupRepository(trx)
    this.#actor = actor
    this.#renameKey = renameKey
    this.#report = new IntakeReport(createdAt, namedMax)
    this.#knownConfigs = new Map(configs.map((config) => [config.id, config]))
  }

  /** @returns whether the row was inserted; always `false` for texts and files, which are inserted later, in batches */
  async take(entry: BackupEntry): Promise<boolean> {
    const { imported } = this.#report.result
    const before = imported[entry.kind]
    await this.#takeEntry(entry)
    const isShare = entry.kind === 'paste' || entry.kind === 'file'
    return !isShare && imported[entry.kind] > before
  }

  async finish(): Promise<{ result: BackupImport; configIds: string[] }> {
    await this.#writeBatch('paste')
    await this.#writeBatch('file')
    for (const { slug, revision, isPurged, hasCurrent } of this.#newBundles.values())
      if (revision > 0 && !isPurged && !hasCurrent) this.#report.gap('bundle', slug, 'revision_missing')
    return { result: this.#report.result, configIds: this.#newConfigs }
  }

  #creatorHere(creator: string): string {
    const keyId = keyIdOfCreator(creator)
    if (keyId !== null) return `apikey:${this.#keyIds.get(keyId) ?? keyId}`
    return this.#adminIds.get(creator) ?? creator
  }

  #configHere(id: string): string | null {
    const here = this.#configIds.get(id) ?? id
    return this.#knownConfigs.has(here) ? here : null
  }

  /**
   * Skips an account that exists, by id or name. If the backup has no password for the account, the importing
   * administrator becomes the owner of its shares.
   */
  async #takeAdmin({ row, secrets }: EntryOf<'admin'>): Promise<void> {
    const there = await this.#repository.admins()
    const same = there.find((admin) => admin.id === row.id)
    const namesake = there.find((admin) => admin.username === row.username)
    if (same) this.#report.skip('admin', row.username, 'id_exists')
    else if (namesake) {
      this.#adminIds.set(row.id, namesake.id)
      this.#report.skip('admin', row.username, 'name_exists')
    } else if (secrets === null) {
      this.#adminIds.set(row.id, this.#actor.id)
      this.#report.skip('admin', row.username, 'password_missing')
    } else {
      await this.#repository.insertNew('admin', [{ ...row, password_hash: secrets.password_hash }])
      this.#report.imported('admin')
    }
  }

  async #takeSetting({ row }: EntryOf<'setting'>): Promise<void> {
    if (await this.#repository.insertSetting(row)) {
      this.#report.imported('setting')
      return
    }
    const [there] = await this.#repository.settings([row.key])
    this.#report.skip('setting', row.key, there?.value === row.value ? 'id_exists' : 'setting_exists')
  }

  async #takeConfig({ row, secrets, hasSecret }: EntryOf<'storage_config'>): Promise<void> {
    const known = [...this.#knownConfigs.values()]
    if (this.#knownConfigs.has(row.id)) {
      this.#report.skip('storage_config', row.name, 'id_exists')
      return
    }
    const folder = known.find(
      (config) =>
        config.provider_type === LOCAL_DISK_PROVIDER &&
        row.provider_type === LOCAL_DISK_PROVIDER &&
        config.bucket_name.toLowerCase() === row.bucket_name.toLowerCase(),
    )
    if (folder) {
      this.#configIds.set(row.id, folder.id)
      this.#report.skip('storage_config', row.name, 'folder_exists')
      return
    }
    const sealed = (field: CredentialField) => {
      const plain = secrets?.[field] ?? null
      return plain === null ? null : this.#secrets.seal(plain, credentialContext(row.id, field))
    }
    const config = {
      ...row,
      is_default: known.some((other) => other.is_default === 1) ? 0 : row.is_default,
      access_key_id_sealed: sealed('access_key_id'),
      secret_access_key_sealed: sealed('secret_access_key'),
    }
    await this.#repository.insertNew('storage_config', [config])
    this.#knownConfigs.set(row.id, config)
    this.#newConfigs.push(row.id)
    this.#report.imported('storage_config')
    if (hasSecret && (config.access_key_id_sealed === null || config.secret_access_key_sealed === null))
      this.#report.gap('storage_config', row.name, 'credentials')
  }

  async #takeKey({ row, secrets }: EntryOf<'api_key'>): Promise<void> {
    const there = await this.#repository.keys()
    const key = secrets?.key ?? randomText(API_KEY_GENERATED_LENGTH)
    const fingerprint = this.#secrets.fingerprint(key)
    const same = there.find((other) => other.key_fingerprint === fingerprint)
    const taken = new Set(there.map(({ name }) => name))
    if (there.some((other) => other.id === row.id)) this.#report.skip('api_key', row.name, 'id_exists')
    else if (same) {
      this.#keyIds.set(row.id, same.id)
      this.#report.skip('api_key', row.name, 'key_exists')
    } else if (taken.has(row.name) && !this.#renameKey) this.#report.skip('api_key', row.name, 'name_exists')
    else {
      const name = this.#renameKey && taken.has(row.name) ? this.#renameKey(row.name, taken) : row.name
      const key_sealed = this.#secrets.seal(key, apiKeySealContext(row.id))
      await this.#repository.insertNew('api_key', [
        { ...row, name, key_fingerprint: fingerprint, key_sealed },
      ])
      this.#report.imported('api_key')
      if ((secrets?.key ?? null) === null) this.#report.gap('api_key', row.name, 'new_key')
    }
  }

  async #takeMount({ row }: EntryOf<'mount'>): Promise<void> {
    const configId = row.storage_config_id === null ? null : this.#configHere(row.storage_config_id)
    if (row.storage_config_id !== null && configId === null) {
      this.#report.skip('mount', row.mount_path, 'storage_missing')
      return
    }
    const mount = { ...row, storage_config_id: configId, created_by: this.#creatorHere(row.created_by) }
    const inserted = await this.#repository.insertNew('mount', [mount])
    if (inserted.has(row.id)) this.#report.imported('mount')
    else {
      const isThere = (await this.#repository.idsThere('mount', [row.id])).has(row.id)
      this.#report.skip('mount', row.mount_path, isThere ? 'id_exists' : 'path_exists')
    }
  }

  /**
   * Returns the columns for the password and the PIN: the original hashes for verification, and an encrypted copy of
   * the password for the owner.
   */
  #keysHere({ kind, row, secrets, hasSecret }: EntryOf<ShareKind>) {
    if (!hasSecret) return { password_hash: null, password_sealed: null, pin_hash: null }
    if (secrets === null) {
      this.#report.gap(kind, row.slug, 'locked')
      return { password_hash: LOCKED, password_sealed: null, pin_hash: null }
    }
    const context = PASSWORD_CONTEXTS[kind](row.id)
    const { password, password_hash, pin_hash = null } = secrets
    return {
      password_hash,
      password_sealed: password === null ? null : this.#secrets.seal(password, context),
      pin_hash,
    }
  }

  async #writeBatch(kind: BatchedKind): Promise<void> {
    const rows = this.#batches[kind].take()
    if (rows.length === 0) return
    const inserted = await this.#repository.insertNew(kind, rows)
    this.#report.imported(kind, inserted.size)
    const left = new Set(inserted)
    // An id that occurs twice in the file is inserted once; its other rows count as skipped.
    const skipped = rows.filter(({ id }) => !left.delete(id))
    if (skipped.length > 0) {
      const ids = await this.#repository.idsThere(
        kind,
        skipped.map(({ id }) => id),
      )
      const slugs = await this.#repository.slugsThere(
        kind,
        skipped.map(({ slug }) => slug),
      )
      for (const { id, slug } of skipped)
        this.#report.skip(
          kind,
          slug,
          ids.has(id) ? 'id_exists' : slugs.has(slug) ? 'slug_exists' : 'object_exists',
        )
    }
    if (kind === 'file')
      await this.#repository.cancelRemovals(
        (rows as Insertable<Schema['files']>[])
          .filter(({ id }) => inserted.has(id))
          .map(({ storage_config_id, storage_key }) => ({ configId: storage_config_id, key: storage_key })),
      )
  }

  async #takePaste(entry: EntryOf<'paste'>): Promise<void> {
    const { row } = entry
    const paste = {
      opening: 'direct' as const,
      ...row,
      ...this.#keysHere(entry),
      created_by: row.created_by === null ? null : this.#creatorHere(row.created_by),
      search_text: row.purged_at_ms === null ? pasteSearchText(row.remark, row.content) : '',
    }
    this.#batches.paste.add(paste, row.content.length)
    if (this.#batches.paste.isFull) await this.#writeBatch('paste')
  }

  /** Inserts a bundle immediately, because its revisions and objects follow in the file and refer to the bundle. */
  async #takeBundle(entry: EntryOf<'bundle'>): Promise<void> {
    const { row } = entry
    const bundle = {
      opening: 'direct' as const,
      ...row,
      sealed: row.sealed ?? null,
      salt: row.salt ?? null,
      kdf: row.kdf ?? null,
      verifier: row.verifier ?? null,
      owner_box: row.owner_box ?? null,
      ...this.#keysHere(entry),
      created_by: row.created_by === null ? null : this.#creatorHere(row.created_by),
      search_text: row.purged_at_ms === null ? bundleSearchText(row.remark, null) : '',
    }
    if ((await this.#repository.insertNew('bundle', [bundle])).has(row.id)) {
      const { slug, remark, revision } = row
      const isPurged = row.purged_at_ms !== null
      this.#newBundles.set(row.id, { slug, remark, revision, isPurged, hasCurrent: false })
      this.#report.imported('bundle')
      return
    }
    const isThere = (await this.#repository.idsThere('bundle', [row.id])).has(row.id)
    this.#report.skip('bundle', row.slug, isThere ? 'id_exists' : 'slug_exists')
  }

  async #takeRevision({ row }: EntryOf<'bundle_revision'>): Promise<void> {
    const name = `${row.bundle_id} ${row.revision}`
    const bundle = this.#newBundles.get(row.bundle_id)
    const reason =
      bundle === undefined
        ? 'bundle_missing'
        : row.revision > bundle.revision
          ? 'revision_ahead'
          : (await this.#repository.insertRevision(row))
            ? null
            : 'id_exists'
    if (reason !== null || bundle === undefined) {
      this.#report.skip('bundle_revision', name, reason ?? 'bundle_missing')
      return
    }
    this.#report.imported('bundle_revision')
    if (row.revision !== bundle.revision) return
    bundle.hasCurrent = true
    if (!bundle.isPurged)
      await this.#repository.setBundleText(
        row.bundle_id,
        bundleSearchText(bundle.remark, readableManifest(row.manifest)),
      )
  }

  async #takeFile(entry: EntryOf<'file'>): Promise<void> {
    const { row } = entry
    const configId = this.#configHere(row.storage_config_id)
    if (configId === null) {
      this.#report.skip('file', row.slug, 'storage_missing')
      return
    }
    const bundleId = row.bundle_id ?? null
    if (bundleId !== null && !this.#newBundles.has(bundleId)) {
      this.#report.skip('file', row.filename, 'bundle_missing')
      return
    }
    const file = {
      opening: 'direct' as const,
      ...row,
      ...this.#keysHere(entry),
      storage_config_id: configId,
      bundle_id: bundleId,
      object_number: row.object_number ?? null,
      part_size_bytes: row.part_size_bytes ?? null,
      created_by: row.created_by === null ? null : this.#creatorHere(row.created_by),
      // The sweep clears this time if a revision uses the object.
      upload_expires_at_ms: bundleId === null ? null : row.committed_at_ms + BUNDLE_UNNAMED_SECONDS * 1000,
      takes_slug: null,
      receiving_until_ms: null,
      search_text: row.purged_at_ms === null ? searchText(row.remark, row.filename) : '',
    }
    this.#batches.file.add(file, 0)
    if (this.#batches.file.isFull) await this.#writeBatch('file')
  }

  #takeEntry(entry: BackupEntry): Promise<void> {
    switch (entry.kind) {
      case 'admin':
        return this.#takeAdmin(entry)
      case 'setting':
        return this.#takeSetting(entry)
      case 'storage_config':
        return this.#takeConfig(entry)
      case 'api_key':
        return this.#takeKey(entry)
      case 'mount':
        return this.#takeMount(entry)
      case 'paste':
        return this.#takePaste(entry)
      case 'bundle':
        return this.#takeBundle(entry)
      case 'bundle_revision':
        return this.#takeRevision(entry)
      case 'file':
        return this.#takeFile(entry)
    }
  }
}
