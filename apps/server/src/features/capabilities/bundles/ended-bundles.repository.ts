import { BUNDLE_REVISIONS_MAX, BUNDLE_REVISIONS_MAX_BYTES, BUNDLE_TICKET_SECONDS } from '@dropleaf/contract'
import type { ExpressionBuilder } from 'kysely'
import { hasExpired, isUsedUp } from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'

/** Matches expired bundles, and used-up bundles that no ticket and no device can read any more. */
const isOver = (nowMs: number) => (eb: ExpressionBuilder<Schema, 'bundles'>) => {
  const readUntilMs = nowMs - BUNDLE_TICKET_SECONDS * 1000
  return eb.or([
    hasExpired(nowMs)(eb),
    eb.and([
      isUsedUp(eb),
      eb.or([eb('last_view_at_ms', 'is', null), eb('last_view_at_ms', '<=', readUntilMs)]),
      // A device that reopens the bundle just before `grace_until_ms` still gets a ticket.
      eb.or([eb('grace_until_ms', 'is', null), eb('grace_until_ms', '<=', readUntilMs)]),
    ]),
  ])
}

/** Matches drafts without recent changes and without running uploads. */
const isForgotten =
  ({ nowMs, beforeMs }: { nowMs: number; beforeMs: number }) =>
  (eb: ExpressionBuilder<Schema, 'bundles'>) =>
    eb.and([
      eb('bundles.revision', '=', 0),
      eb('bundles.purged_at_ms', 'is', null),
      eb('bundles.updated_at_ms', '<=', beforeMs),
      eb.not(
        eb.exists(
          eb
            .selectFrom('files')
            .select('files.id')
            .whereRef('files.bundle_id', '=', 'bundles.id')
            .where('files.committed_at_ms', 'is', null)
            .where('files.upload_expires_at_ms', '>', nowMs),
        ),
      ),
    ])

class EndedBundlesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findOver(nowMs: number, limit: number) {
    return this.#db
      .selectFrom('bundles')
      .select('id')
      .where('purged_at_ms', 'is', null)
      .where(isOver(nowMs))
      .limit(limit)
      .execute()
  }

  /**
   * Turns a bundle into a tombstone, unless the bundle became readable again in the meantime. @returns whether it was
   * changed
   */
  async purge(id: string, nowMs: number): Promise<boolean> {
    const result = await this.#db
      .updateTable('bundles')
      .set({
        purged_at_ms: nowMs,
        title: null,
        item_count: 0,
        size_bytes: 0,
        search_text: '',
        remark: null,
        password_hash: null,
        password_sealed: null,
        pin_hash: null,
      })
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .where(isOver(nowMs))
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  async deleteTombstones(beforeMs: number, limit: number): Promise<number> {
    const due = this.#db.selectFrom('bundles').select('id').where('purged_at_ms', '<', beforeMs).limit(limit)
    const result = await this.#db.deleteFrom('bundles').where('id', 'in', due).executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  findForgotten(limits: { nowMs: number; beforeMs: number }, limit: number) {
    return this.#db.selectFrom('bundles').select('id').where(isForgotten(limits)).limit(limit).execute()
  }

  /** Deletes a draft, unless it was changed in the meantime. @returns whether it was deleted */
  async deleteForgotten(id: string, limits: { nowMs: number; beforeMs: number }): Promise<boolean> {
    const result = await this.#db
      .deleteFrom('bundles')
      .where('id', '=', id)
      .where(isForgotten(limits))
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  /**
   * Lists bundles after `afterId` whose revisions exceed the limit of their number or of their size. Some of these
   * revisions may still be readable with tickets.
   */
  async withManyRevisions(afterId: string, limit: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('bundle_revisions')
      .select('bundle_id')
      .where('bundle_id', '>', afterId)
      .groupBy('bundle_id')
      .having((eb) =>
        eb.or([
          eb(eb.fn.countAll(), '>', BUNDLE_REVISIONS_MAX),
          eb(eb.fn.sum('manifest_bytes'), '>', BUNDLE_REVISIONS_MAX_BYTES),
        ]),
      )
      .orderBy('bundle_id')
      .limit(limit)
      .execute()
    return rows.map(({ bundle_id }) => bundle_id)
  }
}

export const endedBundlesRepository = (db: Db) => new EndedBundlesRepository(db)
