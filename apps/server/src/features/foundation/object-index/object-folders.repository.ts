import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../../db/database.ts'
import { engineOf } from '../../../db/engine.ts'
import { type Blank, prepared } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'
import { inRange, type KeyRange } from './key-ranges.repository.ts'
import type { ObjectFolderRow } from './object-index.table.ts'

/** Change to a folder's totals. */
export interface TreeChange {
  readonly id: number
  readonly objects: number
  readonly bytes: number
  /** Newest modification time of added or changed files; 0 if there are none. */
  readonly modified: number
}

export interface FolderMark {
  readonly id: number
  readonly is_marked: number
  readonly modified_at_ms: number | null
}

export interface NewFolder {
  readonly key: string
  readonly parent_id: number | null
  readonly sort_key: string
}

/**
 * Condition that a folder's content is unknown. A storage shows a folder because of its marker or its content. If the
 * index contains neither, a listing has shown only the folder's name.
 */
const isUncounted = sql<boolean>`folder.tree_objects = 0 and folder.is_marked = 0 and not exists (
  select 1 from object_folders as below where below.index_id = folder.index_id and below.is_marked = 1
  and below.key > folder.key and below.key < substr(folder.key, 1, length(folder.key) - 1) || '0')`

const findFolders = prepared((db, { engine, arg }: Blank<{ indexId: number; keys: readonly string[] }>) => {
  const keys = arg((o) => o.keys.map((key) => ({ key })))
  return sql<ObjectFolderRow>`
    select object_folders.* from ${rowsOf(engine, keys, { key: 'text' })} as given
    cross join object_folders
    where object_folders.index_id = ${arg(({ indexId }) => indexId)} and object_folders.key = given.key`.compile(
    db,
  )
})

const findFoldersOf = prepared(
  (db, { engine, arg }: Blank<{ configId: string; keys: readonly string[] }>) => {
    const keys = arg((o) => o.keys.map((key) => ({ key })))
    return sql<ObjectFolderRow & { completed_at_ms: number | null }>`
    select object_folders.*, object_indexes.completed_at_ms
    from ${rowsOf(engine, keys, { key: 'text' })} as given
    cross join object_indexes
    cross join object_folders
    where object_indexes.config_id = ${arg((o) => o.configId)}
      and object_folders.index_id = object_indexes.id and object_folders.key = given.key`.compile(db)
  },
)

/** Indexed data of an entry with a given name, and of its parent folder. */
export interface IndexedName {
  readonly listed_at_ms: number | null
  readonly size_bytes: number | null
  readonly modified_at_ms: number | null
  readonly etag: string | null
  readonly folder_id: number | null
  readonly folder_modified_at_ms: number | null
}

interface NameInFolder {
  readonly configId: string
  readonly key: string
  /** Key of the parent folder. */
  readonly folder: string
}

const findName = prepared((db, { arg }: Blank<NameInFolder>) => {
  const key = arg((o) => o.key)
  return sql<IndexedName>`
    select around.listed_at_ms, objects.size_bytes, objects.modified_at_ms, objects.etag, inner_folder.id as folder_id,
      inner_folder.modified_at_ms as folder_modified_at_ms
    from object_indexes
    join object_folders as around on around.index_id = object_indexes.id and around.key = ${arg((o) => o.folder)}
    left join objects on objects.index_id = object_indexes.id and objects.key = ${key}
    left join object_folders as inner_folder
      on inner_folder.index_id = object_indexes.id and inner_folder.key = ${arg((o) => `${o.key}/`)}
    where object_indexes.config_id = ${arg((o) => o.configId)}`.compile(db)
})

const addToTrees = prepared((db, { engine, arg }: Blank<readonly TreeChange[]>) => {
  const columns = { id: 'bigint', objects: 'bigint', bytes: 'bigint', modified: 'bigint' } as const
  return sql`update object_folders set
      tree_objects = object_folders.tree_objects + given.objects,
      tree_bytes = object_folders.tree_bytes + given.bytes,
      tree_modified_at_ms = case when given.modified > coalesce(object_folders.tree_modified_at_ms, 0)
        then given.modified else object_folders.tree_modified_at_ms end
    from ${rowsOf(
      engine,
      arg((changes) => changes),
      columns,
    )} as given
    where object_folders.id = given.id`.compile(db)
})

/**
 * Indexed folders and their totals. Insert, mark, delete folders and change totals only in a transaction that locks the
 * index's row.
 */
class ObjectFoldersRepository {
  readonly #db: Db
  readonly #engine: Engine

  constructor(db: Db) {
    this.#db = db
    this.#engine = engineOf(db)
  }

  /** Makes listings of these folders read the storage again. Data that was read from the storage earlier is ignored. */
  async forgetListingsOf(configId: string, keys: readonly string[]): Promise<void> {
    const [index] = await this.#db
      .updateTable('object_indexes')
      .set({ sequence: sql`sequence + 1`, trusted_from: sql`sequence + 1` })
      .where('config_id', '=', configId)
      .returning('id')
      .execute()
    if (!index) return
    const folders = await this.findFolders(index.id, keys)
    const ids = folders.map(({ id }) => id)
    if (ids.length > 0) await this.forgetListings(ids)
  }

  findFolders(indexId: number, keys: readonly string[]): Promise<ObjectFolderRow[]> {
    return findFolders(this.#db, { indexId, keys })
  }

  /** Finds folders of a storage, with the time when the storage's index became complete. */
  findFoldersOf(configId: string, keys: readonly string[]) {
    return findFoldersOf(this.#db, { configId, keys })
  }

  /** @returns `undefined` if the parent folder is not indexed. */
  async findName(name: NameInFolder): Promise<IndexedName | undefined> {
    return (await findName(this.#db, name)).at(0)
  }

  findFoldersInRange(range: { indexId: number; limit: number } & KeyRange): Promise<ObjectFolderRow[]> {
    return this.#many(
      sql<ObjectFolderRow>`
        select * from object_folders where index_id = ${range.indexId} and ${inRange(range)}
        order by key limit ${range.limit}`,
    )
  }

  /** Counts the folders below a folder, at any depth. */
  async countFoldersBelow(indexId: number, folder: string): Promise<number> {
    // PostgreSQL returns bigint counts as text.
    const [row] = await this.#many(
      sql<{ n: number | string }>`
        select count(*) as n from object_folders
        where index_id = ${indexId} and ${inRange({ prefix: folder, after: folder, upTo: null })}`,
    )
    return Number(row?.n ?? 0)
  }

  /** Finds the folders among `keys` whose content is unknown. */
  findUncounted(indexId: number, keys: readonly string[]): Promise<Array<{ key: string }>> {
    return this.#many(
      sql<{ key: string }>`
        select folder.key from ${rowsOf(
          this.#engine,
          keys.map((key) => ({ key })),
          { key: 'text' },
        )} as given
        cross join object_folders as folder
        where folder.index_id = ${indexId} and folder.key = given.key and ${isUncounted}`,
    )
  }

  /** Whether the content of any direct subfolder is unknown. */
  async hasUncounted(parentId: number): Promise<boolean> {
    const rows = await this.#many(
      sql<{ one: number }>`
        select 1 as one from object_folders as folder
        where folder.parent_id = ${parentId} and ${isUncounted} limit 1`,
    )
    return rows.length > 0
  }

  findChildFolders(parentId: number): Promise<Array<Pick<ObjectFolderRow, 'id' | 'key' | 'modified_at_ms'>>> {
    return this.#db
      .selectFrom('object_folders')
      .select(['id', 'key', 'modified_at_ms'])
      .where('parent_id', '=', parentId)
      .execute()
  }

  insertFolders(
    indexId: number,
    folders: readonly NewFolder[],
    sequence: number,
  ): Promise<ObjectFolderRow[]> {
    return this.#many(
      sql<ObjectFolderRow>`
        insert into object_folders
          (index_id, key, parent_id, sort_key, tree_objects, tree_bytes, is_marked, changed_sequence)
        select ${indexId}, given.key, given.parent_id, given.sort_key, 0, 0, 0, ${sequence}
        from ${rowsOf(this.#engine, folders, { key: 'text', parent_id: 'bigint', sort_key: 'text' })} as given where 1 = 1
        returning *`,
    )
  }

  async markFolders(marks: readonly FolderMark[], sequence: number): Promise<void> {
    await sql`update object_folders set is_marked = given.is_marked, modified_at_ms = given.modified_at_ms,
          changed_sequence = ${sequence}
        from ${rowsOf(this.#engine, marks, { id: 'bigint', is_marked: 'integer', modified_at_ms: 'bigint' })} as given
        where object_folders.id = given.id`.execute(this.#db)
  }

  async addToTrees(changes: readonly TreeChange[]): Promise<void> {
    await addToTrees(this.#db, changes)
  }

  /** Finds the empty folders among `ids`. Excludes the root and folders with a marker. */
  findEmptyFolders(
    ids: readonly number[],
  ): Promise<Array<Pick<ObjectFolderRow, 'id' | 'key' | 'parent_id'>>> {
    return this.#many(
      sql<Pick<ObjectFolderRow, 'id' | 'key' | 'parent_id'>>`
        select f.id, f.key, f.parent_id from object_folders as f
        where f.id in (${sql.join(ids)}) and f.is_marked = 0 and f.tree_objects = 0
        and not exists (select 1 from objects where folder_id = f.id)
        and not exists (select 1 from object_folders as child where child.parent_id = f.id)`,
    )
  }

  async deleteFolders(ids: readonly number[]): Promise<void> {
    await this.#db.deleteFrom('object_folders').where('id', 'in', ids).execute()
  }

  /** Records a complete listing of a folder, unless the listing is older than `trusted_from`. */
  async setListed(id: number, { listedAtMs, since }: { listedAtMs: number; since: number }): Promise<void> {
    const trusted = this.#db.selectFrom('object_indexes').select('id').where('trusted_from', '<=', since)
    await this.#db
      .updateTable('object_folders')
      .set({ listed_at_ms: listedAtMs })
      .where('id', '=', id)
      .where('index_id', 'in', trusted)
      .execute()
  }

  /**
   * Records the first listing of a new, empty folder, unless the index has entries in it, or the listing is older than
   * `trusted_from`.
   */
  async setMade(
    configId: string,
    { key, listedAtMs, since }: { key: string; listedAtMs: number; since: number },
  ): Promise<void> {
    await sql`update object_folders set listed_at_ms = ${listedAtMs}
        where key = ${key} and tree_objects = 0
        and index_id in (select id from object_indexes where config_id = ${configId} and trusted_from <= ${since})
        and not exists (select 1 from object_folders as child where child.parent_id = object_folders.id)`.execute(
      this.#db,
    )
  }

  async forgetAllListings(): Promise<void> {
    await this.#db
      .updateTable('object_folders')
      .set({ listed_at_ms: null })
      .where('listed_at_ms', 'is not', null)
      .execute()
  }

  async forgetListings(ids: readonly number[]): Promise<void> {
    await this.#db.updateTable('object_folders').set({ listed_at_ms: null }).where('id', 'in', ids).execute()
  }

  async #many<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.#db)).rows
  }
}

export const objectFoldersRepository = (db: Db) => new ObjectFoldersRepository(db)
