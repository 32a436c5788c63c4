import { sql } from 'kysely'
import { type Blank, mostlyNone, remembered } from '../../db/prepared.ts'
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

const owningRows = (db: Db, configIds: readonly string[]) =>
  db
    .selectFrom('files')
    .select('storage_key')
    .where('storage_config_id', 'in', configIds)
    .where('purged_at_ms', 'is', null)
    .where('owns_object', '=', 1)

/** Objects of shares that are gone, while a storage has not removed them yet. */
const removalRows = (db: Db, configIds: readonly string[]) =>
  db.selectFrom('object_removals').select('storage_key').where('storage_config_id', 'in', configIds)

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
  /** Storages that show the same objects as this one, itself included: a bucket may be configured more than once. */
  async sameStorage(): Promise<string[]> {
    const rows = await db
      .selectFrom('storage_configs as other')
      .innerJoin('storage_configs as own', 'own.bucket_name', 'other.bucket_name')
      .select('other.id')
      .where('own.id', '=', configId)
      .execute()
    return rows.length === 0 ? [configId] : rows.map(({ id }) => id)
  },
  /** Which of some keys are those of objects that belong to shares of some storages, or `orDid` belong to one. */
  async ownedAmong(
    keys: readonly string[],
    { configIds, orDid }: { configIds: readonly string[]; orDid: boolean },
  ): Promise<string[]> {
    const owned: string[] = []
    for (const batch of batches(keys)) {
      const owning = owningRows(db, configIds).where('storage_key', 'in', batch)
      const removals = removalRows(db, configIds).where('storage_key', 'in', batch)
      const rows = await (orDid ? owning.unionAll(removals) : owning).execute()
      for (const row of rows) owned.push(row.storage_key)
    }
    return owned
  },
  /** Whether objects that belong, or belonged, to shares of some storages lie below a folder (`a/`). */
  async hasOwnedBelow(folder: string, configIds: readonly string[]): Promise<boolean> {
    const isBelow = sql<boolean>`substr(storage_key, 1, ${[...folder].length}) = ${folder}`
    const rows = await owningRows(db, configIds)
      .where(isBelow)
      .unionAll(removalRows(db, configIds).where(isBelow))
      .limit(1)
      .execute()
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
