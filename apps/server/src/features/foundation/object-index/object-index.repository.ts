import { sql, type Updateable } from 'kysely'
import type { Engine } from '../../../db/database.ts'
import { type Blank, prepared, remembered } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'
import { endOfFolder } from './object-index.models.ts'
import type { ObjectFolderRow, ObjectIndexesTable, ObjectIndexRow } from './object-index.table.ts'

/** An object as the index knows it. */
export interface KnownObject {
  readonly id: number
  readonly folder_id: number
  readonly key: string
  readonly size_bytes: number
  readonly modified_at_ms: number
  readonly etag: string
  readonly changed_sequence: number
}

export interface NewObject {
  readonly folder_id: number
  readonly key: string
  readonly sort_key: string
  readonly size_bytes: number
  readonly modified_at_ms: number
  readonly etag: string
}

export interface ChangedObject {
  readonly id: number
  readonly size_bytes: number
  readonly modified_at_ms: number
  readonly etag: string
}

/** What the files below a folder came to be more or fewer. */
export interface TreeChange {
  readonly id: number
  readonly objects: number
  readonly bytes: number
  /** 0 when nothing newer came. */
  readonly modified: number
}

/** An index whose row a transaction holds. */
export type HeldIndex = Pick<ObjectIndexRow, 'id' | 'sequence' | 'trusted_from'>

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

export interface KeyRange {
  readonly prefix: string
  /** Keys up to and with this one are out of the range. */
  readonly after: string | null
  /** The last key of the range; `null`: to the end of the prefix. */
  readonly upTo: string | null
}

/**
 * A storage shows a folder for its marker or for what lies below it: of one that has neither in the index, a listing has
 * shown the name, and nobody what it holds.
 */
const isUncounted = sql<boolean>`folder.tree_objects = 0 and folder.is_marked = 0 and not exists (
  select 1 from object_folders as below where below.index_id = folder.index_id and below.is_marked = 1
  and below.key > folder.key and below.key < substr(folder.key, 1, length(folder.key) - 1) || '0')`

interface Among {
  readonly indexId: number
  readonly keys: readonly string[]
}

const takeTurn = prepared((db, { arg }: Blank<{ configId: string; step: number }>) =>
  sql<HeldIndex>`
    update object_indexes set sequence = sequence + ${arg(({ step }) => step)}
    where config_id = ${arg(({ configId }) => configId)}
    returning id, sequence, trusted_from`.compile(db),
)

const findObjects = prepared((db, { engine, arg }: Blank<Among>) => {
  const keys = arg((o) => o.keys.map((key) => ({ key })))
  return sql<KnownObject>`
    select id, folder_id, objects.key, size_bytes, modified_at_ms, etag, changed_sequence
    from ${rowsOf(engine, keys, { key: 'text' })} as given
    cross join objects where objects.index_id = ${arg(({ indexId }) => indexId)} and objects.key = given.key`.compile(
    db,
  )
})

const findFolders = prepared((db, { engine, arg }: Blank<Among>) => {
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

const findUsage = remembered((db, { arg }: Blank<string>) =>
  db
    .selectFrom('object_folders')
    .innerJoin('object_indexes', 'object_indexes.id', 'object_folders.index_id')
    .select(['tree_objects', 'tree_bytes'])
    .where(
      'object_indexes.config_id',
      '=',
      arg((configId) => configId),
    )
    .where('object_folders.key', '=', '')
    .compile(),
)

/** A name, and the folder around it. */
export interface IndexedName {
  readonly listed_at_ms: number | null
  readonly size_bytes: number | null
  readonly modified_at_ms: number | null
  readonly etag: string | null
  /** Of the folder of this name. */
  readonly folder_id: number | null
  readonly folder_modified_at_ms: number | null
}

interface NameInFolder {
  readonly configId: string
  readonly key: string
  /** Key of the folder around it. */
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

interface Inserted {
  readonly indexId: number
  readonly objects: readonly NewObject[]
  readonly sequence: number
}

const insertObjects = prepared((db, { engine, arg }: Blank<Inserted>) => {
  const columns = {
    folder_id: 'bigint',
    key: 'text',
    sort_key: 'text',
    size_bytes: 'bigint',
    modified_at_ms: 'bigint',
    etag: 'text',
  } as const
  return sql<{ id: number; key: string }>`
    insert into objects (index_id, folder_id, key, sort_key, size_bytes, modified_at_ms, etag, changed_sequence)
    select ${arg(({ indexId }) => indexId)}, folder_id, key, sort_key, size_bytes, modified_at_ms, etag,
      ${arg(({ sequence }) => sequence)}
    from ${rowsOf(
      engine,
      arg(({ objects }) => objects),
      columns,
    )} as given where 1 = 1
    returning id, key`.compile(db)
})

/** Rows of the index, and what they add up to; always in one transaction that holds the index's row. */
async function forgetListings(db: Db, ids: readonly number[]): Promise<void> {
  await db.updateTable('object_folders').set({ listed_at_ms: null }).where('id', 'in', ids).execute()
}

export const objectIndexRepository = (db: Db, engine: Engine) => {
  const many = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(db)).rows

  /** What lies in a range of keys, as conditions on the column `key`. */
  const inRange = ({ prefix, after, upTo }: KeyRange) => {
    const end = endOfFolder(prefix)
    const conditions = [
      ...(prefix === '' ? [] : [sql<boolean>`key >= ${prefix}`]),
      ...(end === null ? [] : [sql<boolean>`key < ${end}`]),
      ...(after === null ? [] : [sql<boolean>`key > ${after}`]),
      ...(upTo === null ? [] : [sql<boolean>`key <= ${upTo}`]),
    ]
    return conditions.length === 0 ? sql<boolean>`1 = 1` : sql.join(conditions, sql` and `)
  }

  return {
    findByConfig: (configId: string): Promise<ObjectIndexRow | undefined> =>
      db.selectFrom('object_indexes').selectAll().where('config_id', '=', configId).executeTakeFirst(),
    /** Of the root: what the whole storage holds. */
    findUsage: async (configId: string) => (await findUsage(db, configId)).at(0),
    /** Of some objects together; those that are not known count nothing. */
    async sumSizes({ configId, keys }: { configId: string; keys: readonly string[] }): Promise<number> {
      if (keys.length === 0) return 0
      const row = await db
        .selectFrom('objects')
        .innerJoin('object_indexes', 'object_indexes.id', 'objects.index_id')
        .select((eb) => eb.fn.sum('size_bytes').as('bytes'))
        .where('object_indexes.config_id', '=', configId)
        .where('objects.key', 'in', keys)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },
    listIndexes: () => db.selectFrom('object_indexes').selectAll().execute(),
    /** Indexes of storages that are gone. */
    findOrphans: () =>
      db
        .selectFrom('object_indexes')
        .select(['id', 'config_id'])
        .where('config_id', 'not in', db.selectFrom('storage_configs').select('id'))
        .execute(),
    async deleteIndex(id: number): Promise<void> {
      await db.deleteFrom('object_folders').where('index_id', '=', id).execute()
      await db.deleteFrom('object_tombstones').where('index_id', '=', id).execute()
      await db.deleteFrom('object_indexes').where('id', '=', id).execute()
    },
    async insertIndex(configId: string): Promise<void> {
      await sql`insert into object_indexes (config_id, sequence, state, crawled_objects)
        values (${configId}, 0, 'waiting', 0) on conflict (config_id) do nothing`.execute(db)
      await sql`insert into object_folders
          (index_id, key, sort_key, tree_objects, tree_bytes, is_marked, changed_sequence)
        select id, '', '', 0, 0, 1, 0 from object_indexes where config_id = ${configId}
        on conflict (index_id, key) do nothing`.execute(db)
    },
    /** Nothing of it counts as known any more; a crawl begins from the start. */
    async distrust(configId: string): Promise<void> {
      const index = db.selectFrom('object_indexes').select('id').where('config_id', '=', configId)
      await db
        .updateTable('object_folders')
        .set({ listed_at_ms: null })
        .where('index_id', 'in', index)
        .execute()
      await db
        .updateTable('object_indexes')
        .set({
          sequence: sql`sequence + 1`,
          trusted_from: sql`sequence + 1`,
          state: 'waiting',
          crawl_sequence: null,
          crawl_cursor: null,
          crawl_after: null,
          completed_at_ms: null,
        })
        .where('config_id', '=', configId)
        .execute()
    },
    /** Makes the index authoritative for none of these folders until it is listed again, from now on. */
    async forgetListingsOf(configId: string, keys: readonly string[]): Promise<void> {
      const [index] = await db
        .updateTable('object_indexes')
        .set({ sequence: sql`sequence + 1`, trusted_from: sql`sequence + 1` })
        .where('config_id', '=', configId)
        .returning('id')
        .execute()
      if (!index) return
      const folders = await findFolders(db, { indexId: index.id, keys })
      const ids = folders.map(({ id }) => id)
      if (ids.length > 0) await forgetListings(db, ids)
    },
    async updateCrawl(id: number, change: Updateable<ObjectIndexesTable>): Promise<void> {
      await db.updateTable('object_indexes').set(change).where('id', '=', id).execute()
    },
    /** The same for the crawl that began at `since`. @returns false when the index was distrusted meanwhile: nothing changed. */
    async advanceCrawl(
      { id, since }: { id: number; since: number },
      change: Updateable<ObjectIndexesTable>,
    ): Promise<boolean> {
      const result = await db
        .updateTable('object_indexes')
        .set(change)
        .where('id', '=', id)
        .where('state', '=', 'crawling')
        .where('crawl_sequence', '=', since)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    /** Holds the index's row until the end of the transaction, so that changes come one after the other. */
    takeTurn: async (configId: string, step: 0 | 1): Promise<HeldIndex | undefined> =>
      (await takeTurn(db, { configId, step })).at(0),

    findObjects: (indexId: number, keys: readonly string[]): Promise<KnownObject[]> =>
      findObjects(db, { indexId, keys }),
    /** Files of a range of keys, in the order of their keys. */
    findObjectsInRange: (range: { indexId: number; limit: number } & KeyRange): Promise<KnownObject[]> =>
      many(sql<KnownObject>`
        select id, folder_id, key, size_bytes, modified_at_ms, etag, changed_sequence from objects
        where index_id = ${range.indexId} and ${inRange(range)} order by key limit ${range.limit}`),
    /** Files right in a folder, from one sort key on. */
    findObjectsOfFolder: (o: {
      folderId: number
      after: string
      limit: number
    }): Promise<Array<KnownObject & { sort_key: string }>> =>
      many(sql<KnownObject & { sort_key: string }>`
        select id, folder_id, key, sort_key, size_bytes, modified_at_ms, etag, changed_sequence from objects
        where folder_id = ${o.folderId} and sort_key > ${o.after} order by sort_key limit ${o.limit}`),
    findFolders: (indexId: number, keys: readonly string[]): Promise<ObjectFolderRow[]> =>
      findFolders(db, { indexId, keys }),
    /** Of a storage, with when its index became whole. */
    findFoldersOf: (configId: string, keys: readonly string[]) => findFoldersOf(db, { configId, keys }),
    /** `undefined` when the folder around it is not known. */
    findName: async (name: NameInFolder): Promise<IndexedName | undefined> =>
      (await findName(db, name)).at(0),
    findFoldersInRange: (range: { indexId: number; limit: number } & KeyRange): Promise<ObjectFolderRow[]> =>
      many(sql<ObjectFolderRow>`
        select * from object_folders where index_id = ${range.indexId} and ${inRange(range)}
        order by key limit ${range.limit}`),
    /** Folders below a folder, however deep. */
    async countFoldersBelow(indexId: number, folder: string): Promise<number> {
      // PostgreSQL counts in bigints, which come as text.
      const [row] = await many(sql<{ n: number | string }>`
        select count(*) as n from object_folders
        where index_id = ${indexId} and ${inRange({ prefix: folder, after: folder, upTo: null })}`)
      return Number(row?.n ?? 0)
    },
    /** Of some folders those whose contents nobody has seen. */
    findUncounted: (indexId: number, keys: readonly string[]): Promise<Array<{ key: string }>> =>
      many(sql<{ key: string }>`
        select folder.key from ${rowsOf(
          engine,
          keys.map((key) => ({ key })),
          { key: 'text' },
        )} as given
        cross join object_folders as folder
        where folder.index_id = ${indexId} and folder.key = given.key and ${isUncounted}`),
    /** Whether there is such a folder right in a folder. */
    async hasUncounted(parentId: number): Promise<boolean> {
      const rows = await many(sql<{ one: number }>`
        select 1 as one from object_folders as folder
        where folder.parent_id = ${parentId} and ${isUncounted} limit 1`)
      return rows.length > 0
    },
    findChildFolders: (
      parentId: number,
    ): Promise<Array<Pick<ObjectFolderRow, 'id' | 'key' | 'modified_at_ms'>>> =>
      db
        .selectFrom('object_folders')
        .select(['id', 'key', 'modified_at_ms'])
        .where('parent_id', '=', parentId)
        .execute(),
    findTombstones: (
      indexId: number,
      keys: readonly string[],
      sinceSequence: number,
    ): Promise<Array<{ key: string }>> =>
      many(sql<{ key: string }>`
        select given.key from ${rowsOf(
          engine,
          keys.map((key) => ({ key })),
          { key: 'text' },
        )} as given
        cross join object_tombstones as stone where stone.index_id = ${indexId} and stone.key = given.key
        and stone.sequence > ${sinceSequence}`),
    async hasTombstones(indexId: number, sinceSequence: number): Promise<boolean> {
      const rows = await many(sql<{ one: number }>`
        select 1 as one from object_tombstones where index_id = ${indexId} and sequence > ${sinceSequence} limit 1`)
      return rows.length > 0
    },
    async bury(
      indexId: number,
      keys: readonly string[],
      o: { sequence: number; nowMs: number },
    ): Promise<void> {
      await sql`insert into object_tombstones (index_id, key, sequence, removed_at_ms)
        select ${indexId}, given.key, ${o.sequence}, ${o.nowMs}
        from ${rowsOf(
          engine,
          keys.map((key) => ({ key })),
          { key: 'text' },
        )} as given where 1 = 1
        on conflict (index_id, key) do update set sequence = excluded.sequence, removed_at_ms = excluded.removed_at_ms`.execute(
        db,
      )
    },
    async deleteTombstonesBefore(instantMs: number): Promise<void> {
      await db.deleteFrom('object_tombstones').where('removed_at_ms', '<', instantMs).execute()
    },

    insertFolders: (
      indexId: number,
      folders: readonly NewFolder[],
      sequence: number,
    ): Promise<ObjectFolderRow[]> =>
      many(sql<ObjectFolderRow>`
        insert into object_folders
          (index_id, key, parent_id, sort_key, tree_objects, tree_bytes, is_marked, changed_sequence)
        select ${indexId}, given.key, given.parent_id, given.sort_key, 0, 0, 0, ${sequence}
        from ${rowsOf(engine, folders, { key: 'text', parent_id: 'bigint', sort_key: 'text' })} as given where 1 = 1
        returning *`),
    async markFolders(marks: readonly FolderMark[], sequence: number): Promise<void> {
      await sql`update object_folders set is_marked = given.is_marked, modified_at_ms = given.modified_at_ms,
          changed_sequence = ${sequence}
        from ${rowsOf(engine, marks, { id: 'bigint', is_marked: 'integer', modified_at_ms: 'bigint' })} as given
        where object_folders.id = given.id`.execute(db)
    },
    async addToTrees(changes: readonly TreeChange[]): Promise<void> {
      await addToTrees(db, changes)
    },
    /** Of some folders those in which nothing is left. The root and marked ones stay. */
    findEmptyFolders: (
      ids: readonly number[],
    ): Promise<Array<Pick<ObjectFolderRow, 'id' | 'key' | 'parent_id'>>> =>
      many(sql<Pick<ObjectFolderRow, 'id' | 'key' | 'parent_id'>>`
        select f.id, f.key, f.parent_id from object_folders as f
        where f.id in (${sql.join(ids)}) and f.is_marked = 0 and f.tree_objects = 0
        and not exists (select 1 from objects where folder_id = f.id)
        and not exists (select 1 from object_folders as child where child.parent_id = f.id)`),
    async deleteFolders(ids: readonly number[]): Promise<void> {
      await db.deleteFrom('object_folders').where('id', 'in', ids).execute()
    },
    /** Notes when a folder was listed to the end, unless the listing was one of another place. */
    async setListed(id: number, { listedAtMs, since }: { listedAtMs: number; since: number }): Promise<void> {
      const trusted = db.selectFrom('object_indexes').select('id').where('trusted_from', '<=', since)
      await db
        .updateTable('object_folders')
        .set({ listed_at_ms: listedAtMs })
        .where('id', '=', id)
        .where('index_id', 'in', trusted)
        .execute()
    },
    /** The same for a folder that was made at the time, when the index knows of nothing in it either. */
    async setMade(
      configId: string,
      { key, listedAtMs, since }: { key: string; listedAtMs: number; since: number },
    ): Promise<void> {
      await sql`update object_folders set listed_at_ms = ${listedAtMs}
        where key = ${key} and tree_objects = 0
        and index_id in (select id from object_indexes where config_id = ${configId} and trusted_from <= ${since})
        and not exists (select 1 from object_folders as child where child.parent_id = object_folders.id)`.execute(
        db,
      )
    },
    async forgetAllListings(): Promise<void> {
      await db
        .updateTable('object_folders')
        .set({ listed_at_ms: null })
        .where('listed_at_ms', 'is not', null)
        .execute()
    },
    forgetListings: (ids: readonly number[]): Promise<void> => forgetListings(db, ids),

    insertObjects: (
      indexId: number,
      objects: readonly NewObject[],
      sequence: number,
    ): Promise<Array<{ id: number; key: string }>> => insertObjects(db, { indexId, objects, sequence }),
    async updateObjects(objects: readonly ChangedObject[], sequence: number): Promise<void> {
      await sql`update objects set size_bytes = given.size_bytes, modified_at_ms = given.modified_at_ms,
          etag = given.etag, changed_sequence = ${sequence}
        from ${rowsOf(engine, objects, {
          id: 'bigint',
          size_bytes: 'bigint',
          modified_at_ms: 'bigint',
          etag: 'text',
        })} as given where objects.id = given.id`.execute(db)
    },
    async deleteObjects(ids: readonly number[]): Promise<void> {
      await sql`delete from objects where id in
        (select id from ${rowsOf(
          engine,
          ids.map((id) => ({ id })),
          { id: 'bigint' },
        )} as given)`.execute(db)
    },
  }
}
