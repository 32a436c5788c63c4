import type { BackupKind } from '@dropleaf/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema } from '../../../schema.ts'

/** The table of each kind. A backup reads and writes whole rows. */
const TABLES = {
  admin: 'admins',
  setting: 'settings',
  storage_config: 'storage_configs',
  api_key: 'api_keys',
  mount: 'mounts',
  paste: 'pastes',
  bundle: 'bundles',
  bundle_revision: 'bundle_revisions',
  file: 'files',
} as const satisfies Record<BackupKind, keyof Schema>
export type TableOf<Kind extends BackupKind> = Schema[(typeof TABLES)[Kind]]

const PAGE_IDS = 500
/** Maximum number of characters read into memory at a time. A single row can exceed the limit. */
const GROUP_CHARACTERS = 4 * 1024 * 1024
const GROUP_ROWS = 100

/** Groups ids so that the rows of each group fit into memory together. */
function groupsOf(sizes: ReadonlyArray<{ id: string; size: number }>): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const { id, size } of sizes) {
    const last = groups.at(-1)
    if (last && size <= room && last.length < GROUP_ROWS) {
      last.push(id)
      room -= size
    } else {
      groups.push([id])
      room = GROUP_CHARACTERS - size
    }
  }
  return groups
}

export class BackupRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  admins() {
    return this.#db.selectFrom('admins').selectAll().orderBy('created_at_ms').orderBy('id').execute()
  }

  settings(keys: readonly string[]) {
    return this.#db.selectFrom('settings').selectAll().where('key', 'in', keys).orderBy('key').execute()
  }

  configs() {
    return this.#db.selectFrom('storage_configs').selectAll().orderBy('id').execute()
  }

  keys() {
    return this.#db.selectFrom('api_keys').selectAll().orderBy('id').execute()
  }

  mounts() {
    return this.#db.selectFrom('mounts').selectAll().orderBy('id').execute()
  }

  async count(kind: BackupKind): Promise<number> {
    const query = this.#db.selectFrom(TABLES[kind]).select((e) => e.fn.countAll<number>().as('count'))
    const row = await (
      kind === 'file' ? query.where('committed_at_ms' as never, 'is not', null) : query
    ).executeTakeFirstOrThrow()
    return row.count
  }

  /** Yields all text shares, reading them in batches. */
  async *pastes(): AsyncGenerator<Selectable<Schema['pastes']>> {
    for (let after = ''; ;) {
      const sizes = await this.#db
        .selectFrom('pastes')
        .select((e) => ['id', e.fn<number>('length', ['content']).as('size')])
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE_IDS)
        .execute()
      const last = sizes.at(-1)
      if (!last) return
      for (const ids of groupsOf(sizes))
        yield* await this.#db.selectFrom('pastes').selectAll().where('id', 'in', ids).orderBy('id').execute()
      after = last.id
    }
  }

  /** Yields all bundles, reading them in batches. */
  async *bundles(): AsyncGenerator<Selectable<Schema['bundles']>> {
    for (let after = ''; ;) {
      const rows = await this.#db
        .selectFrom('bundles')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE_IDS)
        .execute()
      const last = rows.at(-1)
      if (!last) return
      yield* rows
      after = last.id
    }
  }

  /**
   * Yields the revisions of bundles one by one, because a single revision can be large.
   * @param current numbers of the current revisions, keyed by bundle; later revisions are left out
   */
  async *revisions(
    current: ReadonlyMap<string, number>,
  ): AsyncGenerator<Selectable<Schema['bundle_revisions']>> {
    for (const [id, last] of current) {
      const named = this.#db
        .selectFrom('bundle_revisions')
        .where('bundle_id', '=', id)
        .where('revision', '<=', last)
      for (const { revision } of await named.select('revision').orderBy('revision').execute()) {
        const row = await named.selectAll().where('revision', '=', revision).executeTakeFirst()
        if (row) yield row
      }
    }
  }

  /** Yields all committed file shares and objects of bundles, reading them in batches. */
  async *files(): AsyncGenerator<Selectable<Schema['files']>> {
    for (let after = ''; ;) {
      const rows = await this.#db
        .selectFrom('files')
        .selectAll()
        .where('id', '>', after)
        .where('committed_at_ms', 'is not', null)
        .orderBy('id')
        .limit(PAGE_IDS)
        .execute()
      const last = rows.at(-1)
      if (!last) return
      yield* rows
      after = last.id
    }
  }

  /** Inserts the rows that do not conflict with existing rows. Returns the inserted ids. */
  async insertNew<Kind extends Exclude<BackupKind, 'setting' | 'bundle_revision'>>(
    kind: Kind,
    rows: ReadonlyArray<Insertable<TableOf<Kind>>>,
  ): Promise<Set<string>> {
    const inserted = await this.#db
      .insertInto(TABLES[kind] as 'pastes')
      .values(rows as unknown as Insertable<Schema['pastes']>[])
      .onConflict((c) => c.doNothing())
      .returning('id')
      .execute()
    return new Set(inserted.map((row) => row.id))
  }

  /** Sets the search text of a bundle. */
  setBundleText(id: string, text: string) {
    return this.#db.updateTable('bundles').set({ search_text: text }).where('id', '=', id).execute()
  }

  async insertRevision(row: Schema['bundle_revisions']): Promise<boolean> {
    const result = await this.#db
      .insertInto('bundle_revisions')
      .values(row)
      .onConflict((c) => c.doNothing())
      .executeTakeFirst()
    return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
  }

  async insertSetting(row: Schema['settings']): Promise<boolean> {
    const result = await this.#db
      .insertInto('settings')
      .values(row)
      .onConflict((c) => c.doNothing())
      .executeTakeFirst()
    return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
  }

  async idsThere(
    kind: Exclude<BackupKind, 'setting' | 'bundle_revision'>,
    ids: readonly string[],
  ): Promise<Set<string>> {
    const rows = await this.#db
      .selectFrom(TABLES[kind] as 'pastes')
      .select('id')
      .where('id', 'in', ids)
      .execute()
    return new Set(rows.map((row) => row.id))
  }

  async slugsThere(kind: 'paste' | 'bundle' | 'file', slugs: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db
      .selectFrom(TABLES[kind] as 'pastes')
      .select('slug')
      .where('slug', 'in', slugs)
      .execute()
    return new Set(rows.map((row) => row.slug))
  }

  /** Cancels the pending deletion of objects that belong to a share again. */
  async cancelRemovals(objects: ReadonlyArray<{ configId: string; key: string }>): Promise<void> {
    for (const configId of new Set(objects.map((object) => object.configId)))
      await this.#db
        .deleteFrom('object_removals')
        .where('storage_config_id', '=', configId)
        .where(
          'storage_key',
          'in',
          objects.filter((object) => object.configId === configId).map((object) => object.key),
        )
        .execute()
  }

  /** Deletes everything that a backup replaces. Keeps objects and administrators. */
  async deleteAll(settingKeys: readonly string[]): Promise<void> {
    await this.#db.deleteFrom('object_removals').execute()
    for (const table of [
      'files',
      'bundle_revisions',
      'bundles',
      'pastes',
      'mounts',
      'api_keys',
      'storage_configs',
    ] as const)
      await this.#db.deleteFrom(table).execute()
    await this.#db.deleteFrom('settings').where('key', 'in', settingKeys).execute()
  }
}

export const backupRepository = (db: Db) => new BackupRepository(db)
