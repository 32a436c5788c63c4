import { type Insertable, sql } from 'kysely'
import type { Db } from '../../../schema.ts'
import type { ViewGrantsTable } from './files.table.ts'

class ViewGrantsRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  upsert(row: Insertable<ViewGrantsTable>) {
    return this.#db
      .insertInto('view_grants')
      .values(row)
      .onConflict((c) =>
        c
          .columns(['file_id', 'client_hash'])
          .doUpdateSet({ expires_at_ms: row.expires_at_ms, remaining_bytes: row.remaining_bytes }),
      )
      .execute()
  }

  /** Deducts bytes from the amount that a client's view covers. @returns whether the remaining amount was sufficient */
  async take({
    fileId,
    clientHash,
    bytes,
    nowMs,
  }: {
    fileId: string
    clientHash: string
    bytes: number
    nowMs: number
  }): Promise<boolean> {
    const result = await this.#db
      .updateTable('view_grants')
      .set({ remaining_bytes: sql<number>`remaining_bytes - ${bytes}` })
      .where('file_id', '=', fileId)
      .where('client_hash', '=', clientHash)
      .where('expires_at_ms', '>', nowMs)
      .where('remaining_bytes', '>=', bytes)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  deleteExpired(nowMs: number) {
    return this.#db.deleteFrom('view_grants').where('expires_at_ms', '<=', nowMs).execute()
  }
}

export const viewGrantsRepository = (db: Db) => new ViewGrantsRepository(db)
