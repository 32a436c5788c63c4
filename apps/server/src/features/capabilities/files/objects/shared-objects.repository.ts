import { sql } from 'kysely'
import { type Blank, cachedAbsence, cached } from '../../../../db/prepared.ts'
import { rowsOf } from '../../../../db/rows.ts'
import type { Db } from '../../../../schema.ts'

/** Number of keys per statement. Databases limit the number of parameters. */
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
  /** Id of the row of the object in `files`, or `null` if the deletion of the object is scheduled. */
  readonly share_id: string | null
  readonly committed_at_ms: number | null
}

interface KeysOf {
  readonly configId: string
  readonly keys: readonly string[]
}

const usesOfKeys = cached((db, { engine, arg }: Blank<KeysOf>) => {
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

/**
 * Finds the shares and scheduled deletions of the keys. If the whole storage has neither, this absence is cached, so
 * that most writes into mounts need no query.
 */
const usesOf = cachedAbsence((db, { arg }: Blank<KeysOf>) => {
  const configId = arg((o) => o.configId)
  return sql`
    select * from (select 1 from files where storage_config_id = ${configId} limit 1)
    union all
    select * from (select 1 from object_removals where storage_config_id = ${configId} limit 1)`.compile(db)
}, usesOfKeys)

class SharedObjectsRepository {
  readonly #db: Db
  readonly #configId: string

  constructor(db: Db, configId: string) {
    this.#db = db
    this.#configId = configId
  }

  /** Returns the rows that refer to the keys. Tombstones refer to no key. */
  async holding(keys: readonly string[]): Promise<HoldingRow[]> {
    const rows: HoldingRow[] = []
    for (const batch of batches(keys)) {
      rows.push(
        ...(await this.#db
          .selectFrom('files')
          .select(['id', 'storage_key', 'committed_at_ms'])
          .where('storage_config_id', '=', this.#configId)
          .where('storage_key', 'in', batch)
          .where('purged_at_ms', 'is', null)
          .execute()),
      )
    }
    return rows
  }

  usesOf(keys: readonly string[]): Promise<readonly KeyUse[]> {
    return usesOf(this.#db, { configId: this.#configId, keys })
  }

  /** Returns the committed rows of the objects below a prefix (`a/`), or of one object. */
  below(start: string) {
    return this.#db
      .selectFrom('files')
      .select(['id', 'storage_key'])
      .where('storage_config_id', '=', this.#configId)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .where((eb) =>
        start.endsWith('/')
          ? eb(sql<string>`substr(storage_key, 1, ${[...start].length})`, '=', start)
          : eb('storage_key', '=', start),
      )
      .execute()
  }

  /** Gives temporary keys to rows that are about to get new keys, because keys must be unique at any time. */
  async unplace(ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids)) {
      await this.#db
        .updateTable('files')
        .set({ storage_key: sql<string>`'moving:' || id` })
        .where('id', 'in', batch)
        .execute()
    }
  }

  /** Assigns keys of this storage to rows of any storage. */
  async place(moves: readonly RowMove[], nowMs: number): Promise<void> {
    for (const batch of batches(moves)) {
      const values = batch.map(({ id, to, etag }) => sql`(${id}, ${to}, cast(${etag} as text))`)
      await sql`
        update files
        set storage_config_id = ${this.#configId}, storage_key = moved.column2,
          etag = coalesce(moved.column3, files.etag), updated_at_ms = ${nowMs}
        from (values ${sql.join(values)}) as moved
        where files.id = moved.column1`.execute(this.#db)
    }
  }

  async replace(
    object: { key: string; sizeBytes: number; etag: string; sha256: string | null },
    nowMs: number,
  ): Promise<void> {
    await this.#db
      .updateTable('files')
      .set({
        size_bytes: object.sizeBytes,
        etag: object.etag,
        sha256: object.sha256,
        updated_at_ms: nowMs,
      })
      .where('storage_config_id', '=', this.#configId)
      .where('storage_key', '=', object.key)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .execute()
  }

  async delete(ids: readonly string[]): Promise<void> {
    for (const batch of batches(ids)) await this.#db.deleteFrom('files').where('id', 'in', batch).execute()
  }

  async deleteCommitted(keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys)) {
      await this.#db
        .deleteFrom('files')
        .where('storage_config_id', '=', this.#configId)
        .where('storage_key', 'in', batch)
        .where('committed_at_ms', 'is not', null)
        .where('purged_at_ms', 'is', null)
        .execute()
    }
  }

  async cancelRemovals(keys: readonly string[]): Promise<void> {
    for (const batch of batches(keys)) {
      await this.#db
        .deleteFrom('object_removals')
        .where('storage_config_id', '=', this.#configId)
        .where('storage_key', 'in', batch)
        .execute()
    }
  }
}

export const sharedObjectsRepository = (db: Db, configId: string) => new SharedObjectsRepository(db, configId)
