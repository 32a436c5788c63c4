import { sql, type Updateable } from 'kysely'
import { type Blank, prepared, cached } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'
import type { ObjectIndexesTable, ObjectIndexRow } from './object-index.table.ts'

/** An index whose row is locked by a transaction. */
export type HeldIndex = Pick<ObjectIndexRow, 'id' | 'sequence' | 'trusted_from'>

const takeTurn = prepared((db, { arg }: Blank<{ configId: string; step: number }>) =>
  sql<HeldIndex>`
    update object_indexes set sequence = sequence + ${arg(({ step }) => step)}
    where config_id = ${arg(({ configId }) => configId)}
    returning id, sequence, trusted_from`.compile(db),
)

const findUsage = cached((db, { arg }: Blank<string>) =>
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

class ObjectIndexRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findByConfig(configId: string): Promise<ObjectIndexRow | undefined> {
    return this.#db
      .selectFrom('object_indexes')
      .selectAll()
      .where('config_id', '=', configId)
      .executeTakeFirst()
  }

  /** Returns the totals of the whole storage, which are the totals of the root folder. */
  async findUsage(configId: string) {
    return (await findUsage(this.#db, configId)).at(0)
  }

  listIndexes() {
    return this.#db.selectFrom('object_indexes').selectAll().execute()
  }

  findOrphans() {
    return this.#db
      .selectFrom('object_indexes')
      .select(['id', 'config_id'])
      .where('config_id', 'not in', this.#db.selectFrom('storage_configs').select('id'))
      .execute()
  }

  async deleteIndex(id: number): Promise<void> {
    await this.#db.deleteFrom('object_folders').where('index_id', '=', id).execute()
    await this.#db.deleteFrom('object_tombstones').where('index_id', '=', id).execute()
    await this.#db.deleteFrom('object_indexes').where('id', '=', id).execute()
  }

  async insertIndex(configId: string): Promise<void> {
    await sql`insert into object_indexes (config_id, sequence, state, crawled_objects)
        values (${configId}, 0, 'waiting', 0) on conflict (config_id) do nothing`.execute(this.#db)
    await sql`insert into object_folders
          (index_id, key, sort_key, tree_objects, tree_bytes, is_marked, changed_sequence)
        select id, '', '', 0, 0, 1, 0 from object_indexes where config_id = ${configId}
        on conflict (index_id, key) do nothing`.execute(this.#db)
  }

  /** Stops using the index until the storage has been crawled again from the beginning. */
  async distrust(configId: string): Promise<void> {
    const index = this.#db.selectFrom('object_indexes').select('id').where('config_id', '=', configId)
    await this.#db
      .updateTable('object_folders')
      .set({ listed_at_ms: null })
      .where('index_id', 'in', index)
      .execute()
    await this.#db
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
  }

  async updateCrawl(id: number, change: Updateable<ObjectIndexesTable>): Promise<void> {
    await this.#db.updateTable('object_indexes').set(change).where('id', '=', id).execute()
  }

  /**
   * Updates the state of the crawl that started at `since`. @returns false, without an update, if the index was
   * distrusted meanwhile.
   */
  async advanceCrawl(
    { id, since }: { id: number; since: number },
    change: Updateable<ObjectIndexesTable>,
  ): Promise<boolean> {
    const result = await this.#db
      .updateTable('object_indexes')
      .set(change)
      .where('id', '=', id)
      .where('state', '=', 'crawling')
      .where('crawl_sequence', '=', since)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Locks the index's row until the end of the transaction, so that changes run one after another. */
  async takeTurn(configId: string, step: 0 | 1): Promise<HeldIndex | undefined> {
    return (await takeTurn(this.#db, { configId, step })).at(0)
  }
}

export const objectIndexRepository = (db: Db) => new ObjectIndexRepository(db)
