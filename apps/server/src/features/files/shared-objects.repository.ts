import { sql } from 'kysely'
import { type Blank, mostlyNone, prepared, remembered } from '../../db/prepared.ts'
import { rowsOf } from '../../db/rows.ts'
import type { Db } from '../../schema.ts'

/** Keys of one statement; engines bound the number of its parameters. */
const BATCH = 500

function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH)
}

export interface HoldingRow {
  readonly id: string
  readonly storage_key: string
  readonly committed_at_ms: number | null
}

export interface RowMove {
  readonly id: string
  readonly to: string
  readonly etag: string | null
}

export interface KeyUse {
  readonly storage_key: string
  /** The share that points to the key; `null`: a removal of what lies there is planned. */
  readonly share_id: string | null
  readonly committed_at_ms: number | null
}

interface KeysOf {
  readonly configId: string
  readonly keys: readonly string[]
}

const usesOfKeys = remembered((db, { engine, arg }: Blank<KeysOf>) => {
  const keys = arg((o) => o.keys.map((wanted) => ({ wanted })))
  const given = sql<string>`(select wanted from ${rowsOf(engine, keys, { wanted: 'text' })} as given)`
  const configId = arg((o) => o.configId)
  return sql<KeyUse>`
    select storage_key, id as share_id, committed_at_ms from files
    where storage_config_id = ${configId} and storage_key in ${given} and purged_at_ms is null
    union all
    select storage_key, null, null from object_removals
    where storage_config_id = ${configId} and storage_key in ${given}`.compile(db)
})

/** Who only keeps files has no shares. */
const usesOf = mostlyNone((db, { arg }: Blank<KeysOf>) => {
  const configId = arg((o) => o.configId)
  return sql`
    select * from (select 1 from files where storage_config_id = ${configId} limit 1)
    union all
    select * from (select 1 from object_removals where storage_config_id = ${configId} limit 1)`.compile(db)
}, usesOfKeys)

/** Storages that show the same objects as one, itself included: a bucket may be configured more than once. */
const sameStorage = (configId: string) => sql<string>`(
  select cast(${configId} as text) as id union
  select other.id from storage_configs as own
  join storage_configs as other on other.bucket_name = own.bucket_name
  where own.id = ${configId})`

const OWNS_OBJECT = sql`purged_at_ms is null and owns_object = 1`

const ownedKeys = prepared((db, { engine, arg }: Blank<KeysOf & { orDid: boolean }>) => {
  const keys = arg((o) => o.keys.map((wanted) => ({ wanted })))
  const given = sql<string>`(select wanted from ${rowsOf(engine, keys, { wanted: 'text' })} as given)`
  const same = sameStorage(arg((o) => o.configId))
  return sql<{ storage_key: string }>`
    select storage_key from files
    where storage_config_id in ${same} and storage_key in ${given} and ${OWNS_OBJECT}
    union all
    select storage_key from object_removals
    where ${arg((o) => Number(o.orDid))} = 1 and storage_config_id in ${same} and storage_key in ${given}`.compile(
    db,
  )
})

const ownedAmong = mostlyNone((db, { arg }: Blank<KeysOf & { orDid: boolean }>) => {
  const same = sameStorage(arg((o) => o.configId))
  return sql`
    select * from (select 1 from files where storage_config_id in ${same} limit 1)
    union all
    select * from (select 1 from object_removals where storage_config_id in ${same} limit 1)`.compile(db)
}, ownedKeys)

/** The share rows of objects of one storage, many at a time. */
export const sharedObjectsRepository = (db: Db, configId: string) => ({
  /** Rows that point to the keys; tombstones point nowhere. */
  async holding(keys: readonly string[]): Promise<HoldingRow[]> {
    const rows: HoldingRow[] = []
    for (const batch of batches(keys)) {
      rows.push(
        ...(await db
          .selectFrom('files')
          .select(['id', 'storage_key', 'committed_at_ms'])
          .where('storage_config_id', '=', configId)
          .where('storage_key', 'in', batch)
          .where('purged_at_ms', 'is', null)
          .execute()),
      )
    }
    return rows
  },
  /** What there is to see to before and after a write to the keys: mostly nothing. */
  usesOf: (keys: readonly string[]): Promise<readonly KeyUse[]> => usesOf(db, { configId, keys }),
  /** Committed rows of the objects in a folder (`a/`), or of the one object. */
  below: (start: string) =>
    db
      .selectFrom('files')
      .select(['id', 'storage_key'])
      .where('storage_config_id', '=', configId)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .where((eb) =>
        start.endsWith('/')
          ? eb(sql<string>`substr(storage_key, 1, ${[...start].length})`, '=', start)
          : eb('storage_key', '=', start),
      )
      .execute(),
  async sameStorage(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from ${sameStorage(configId)} as same`.execute(db)
    return rows.map(({ id }) => id)
  },
  /** Which of some keys are those of objects that belong to shares of the storage, or `orDid` belong to one. */
  async ownedAmong(keys: readonly string[], { orDid }: { orDid: boolean }): Promise<string[]> {
    return (await ownedAmong(db, { configId, keys, orDid })).map((row) => row.storage_key)
  },
  /** Whether objects that belong, or belonged, to shares of the storage lie below a folder (`a/`). */
  async hasOwnedBelow(folder: string): Promise<boolean> {
    const isBelow = sql`storage_config_id in ${sameStorage(configId)}
      and substr(storage_key, 1, ${[...folder].length}) = ${folder}`
    const { rows } = await sql`
      select 1 from files where ${isBelow} and ${OWNS_OBJECT}
      union all
      select 1 from object_removals where ${isBelow} limit 1`.execute(db)
    return rows.length > 0
  },
  /** Frees the keys of rows that are about to get others: no two may have one at any moment. */
  async unplace(ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids)) {
      await db
        .updateTable('files')
        .set({ storage_key: sql<string>`'moving:' || id` })
        .where('id', 'in', batch)
        .execute()
    }
  },
  /** Lets rows of any storage point to keys of this one. */
  async place(moves: readonly RowMove[], nowMs: number): Promise<void> {
    for (const batch of batches(moves)) {
      const values = batch.map(({ id, to, etag }) => sql`(${id}, ${to}, cast(${etag} as text))`)
      await sql`
        update files
        set storage_config_id = ${configId}, storage_key = moved.column2,
          etag = coalesce(moved.column3, files.etag), updated_at_ms = ${nowMs}
        from (values ${sql.join(values)}) as moved
        where files.id = moved.column1`.execute(db)
    }
  },
  async replace(
    object: { key: string; sizeBytes: number; etag: string; sha256: string | null },
    nowMs: number,
  ): Promise<void> {
    await db
      .updateTable('files')
      .set({
        size_bytes: object.sizeBytes,
        etag: object.etag,
        sha256: object.sha256,
        updated_at_ms: nowMs,
      })
      .where('storage_config_id', '=', configId)
      .where('storage_key', '=', object.key)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .execute()
  },
  async delete(ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids)) await db.deleteFrom('files').where('id', 'in', batch).execute()
  },
  async deleteCommitted(keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys)) {
      await db
        .deleteFrom('files')
        .where('storage_config_id', '=', configId)
        .where('storage_key', 'in', batch)
        .where('committed_at_ms', 'is not', null)
        .where('purged_at_ms', 'is', null)
        .execute()
    }
  },
  async cancelRemovals(keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys)) {
      await db
        .deleteFrom('object_removals')
        .where('storage_config_id', '=', configId)
        .where('storage_key', 'in', batch)
        .execute()
    }
  },
})
