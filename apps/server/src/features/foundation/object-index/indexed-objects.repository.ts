import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../../db/database.ts'
import { engineOf } from '../../../db/engine.ts'
import { type Blank, prepared } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'
import { inRange, type KeyRange } from './key-ranges.repository.ts'

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

interface Among {
  readonly indexId: number
  readonly keys: readonly string[]
}

const findObjects = prepared((db, { engine, arg }: Blank<Among>) => {
  const keys = arg((o) => o.keys.map((key) => ({ key })))
  return sql<KnownObject>`
    select id, folder_id, objects.key, size_bytes, modified_at_ms, etag, changed_sequence
    from ${rowsOf(engine, keys, { key: 'text' })} as given
    cross join objects where objects.index_id = ${arg(({ indexId }) => indexId)} and objects.key = given.key`.compile(
    db,
  )
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

/** Indexed files, and tombstones of deleted files and folders. */
class IndexedObjectsRepository {
  readonly #db: Db
  readonly #engine: Engine

  constructor(db: Db) {
    this.#db = db
    this.#engine = engineOf(db)
  }

  /** Returns the total size of the given objects. Objects that are not indexed count as 0. */
  async sumSizes({ configId, keys }: { configId: string; keys: readonly string[] }): Promise<number> {
    if (keys.length === 0) return 0
    const row = await this.#db
      .selectFrom('objects')
      .innerJoin('object_indexes', 'object_indexes.id', 'objects.index_id')
      .select((eb) => eb.fn.sum('size_bytes').as('bytes'))
      .where('object_indexes.config_id', '=', configId)
      .where('objects.key', 'in', keys)
      .executeTakeFirst()
    return Number(row?.bytes ?? 0)
  }

  findObjects(indexId: number, keys: readonly string[]): Promise<KnownObject[]> {
    return findObjects(this.#db, { indexId, keys })
  }

  /** Finds the files in a key range, in key order. */
  findObjectsInRange(range: { indexId: number; limit: number } & KeyRange): Promise<KnownObject[]> {
    return this.#many(
      sql<KnownObject>`
        select id, folder_id, key, size_bytes, modified_at_ms, etag, changed_sequence from objects
        where index_id = ${range.indexId} and ${inRange(range)} order by key limit ${range.limit}`,
    )
  }

  /** Finds files directly in a folder, after a sort key. */
  findObjectsOfFolder(o: {
    folderId: number
    after: string
    limit: number
  }): Promise<Array<KnownObject & { sort_key: string }>> {
    return this.#many(
      sql<KnownObject & { sort_key: string }>`
        select id, folder_id, key, sort_key, size_bytes, modified_at_ms, etag, changed_sequence from objects
        where folder_id = ${o.folderId} and sort_key > ${o.after} order by sort_key limit ${o.limit}`,
    )
  }

  findTombstones(
    indexId: number,
    keys: readonly string[],
    sinceSequence: number,
  ): Promise<Array<{ key: string }>> {
    return this.#many(
      sql<{ key: string }>`
        select given.key from ${rowsOf(
          this.#engine,
          keys.map((key) => ({ key })),
          { key: 'text' },
        )} as given
        cross join object_tombstones as stone where stone.index_id = ${indexId} and stone.key = given.key
        and stone.sequence > ${sinceSequence}`,
    )
  }

  async hasTombstones(indexId: number, sinceSequence: number): Promise<boolean> {
    const rows = await this.#many(
      sql<{ one: number }>`
        select 1 as one from object_tombstones where index_id = ${indexId} and sequence > ${sinceSequence} limit 1`,
    )
    return rows.length > 0
  }

  async bury(
    indexId: number,
    keys: readonly string[],
    o: { sequence: number; nowMs: number },
  ): Promise<void> {
    await sql`insert into object_tombstones (index_id, key, sequence, removed_at_ms)
        select ${indexId}, given.key, ${o.sequence}, ${o.nowMs}
        from ${rowsOf(
          this.#engine,
          keys.map((key) => ({ key })),
          { key: 'text' },
        )} as given where 1 = 1
        on conflict (index_id, key) do update set sequence = excluded.sequence, removed_at_ms = excluded.removed_at_ms`.execute(
      this.#db,
    )
  }

  async deleteTombstonesBefore(instantMs: number): Promise<void> {
    await this.#db.deleteFrom('object_tombstones').where('removed_at_ms', '<', instantMs).execute()
  }

  insertObjects(
    indexId: number,
    objects: readonly NewObject[],
    sequence: number,
  ): Promise<Array<{ id: number; key: string }>> {
    return insertObjects(this.#db, { indexId, objects, sequence })
  }

  async updateObjects(objects: readonly ChangedObject[], sequence: number): Promise<void> {
    await sql`update objects set size_bytes = given.size_bytes, modified_at_ms = given.modified_at_ms,
          etag = given.etag, changed_sequence = ${sequence}
        from ${rowsOf(this.#engine, objects, {
          id: 'bigint',
          size_bytes: 'bigint',
          modified_at_ms: 'bigint',
          etag: 'text',
        })} as given where objects.id = given.id`.execute(this.#db)
  }

  async deleteObjects(ids: readonly number[]): Promise<void> {
    await sql`delete from objects where id in
        (select id from ${rowsOf(
          this.#engine,
          ids.map((id) => ({ id })),
          { id: 'bigint' },
        )} as given)`.execute(this.#db)
  }

  async #many<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.#db)).rows
  }
}

export const indexedObjectsRepository = (db: Db) => new IndexedObjectsRepository(db)
