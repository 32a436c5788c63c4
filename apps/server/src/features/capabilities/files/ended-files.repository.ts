import type { ExpressionBuilder } from 'kysely'
import { hasExpired, isUsedUp } from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'

/**
 * Matches shares whose objects can be deleted: expired shares, and used-up shares for which all links of visitors have
 * expired.
 */
const isOver =
  ({ nowMs, usedUpBeforeMs }: { nowMs: number; usedUpBeforeMs: number }) =>
  (eb: ExpressionBuilder<Schema, 'files'>) =>
    eb.or([
      hasExpired(nowMs)(eb),
      eb.and([
        isUsedUp(eb),
        eb.or([eb('last_view_at_ms', 'is', null), eb('last_view_at_ms', '<=', usedUpBeforeMs)]),
        // A device that reopens the share just before `grace_until_ms` still gets new links.
        eb.or([eb('grace_until_ms', 'is', null), eb('grace_until_ms', '<=', usedUpBeforeMs)]),
      ]),
    ])

class EndedFilesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findOver(limits: { nowMs: number; usedUpBeforeMs: number }, limit: number) {
    return this.#db
      .selectFrom('files')
      .select(['id', 'storage_config_id', 'storage_key', 'owns_object'])
      .where('committed_at_ms', 'is not', null)
      .where('bundle_id', 'is', null)
      .where('purged_at_ms', 'is', null)
      .where(isOver(limits))
      .limit(limit)
      .execute()
  }

  /** Turns a share into a tombstone if it is still expired or used up. @returns whether it was changed */
  async purge(id: string, limits: { nowMs: number; usedUpBeforeMs: number }): Promise<boolean> {
    const result = await this.#db
      .updateTable('files')
      .set({
        purged_at_ms: limits.nowMs,
        storage_key: `purged:${id}`,
        search_text: '',
        size_bytes: 0,
        remark: null,
        password_hash: null,
        password_sealed: null,
        pin_hash: null,
        sha256: null,
        etag: null,
      })
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .where(isOver(limits))
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async deleteTombstones(beforeMs: number, limit: number): Promise<number> {
    const due = this.#db.selectFrom('files').select('id').where('purged_at_ms', '<', beforeMs).limit(limit)
    const result = await this.#db.deleteFrom('files').where('id', 'in', due).executeTakeFirst()
    return Number(result.numDeletedRows)
  }
}

export const endedFilesRepository = (db: Db) => new EndedFilesRepository(db)
