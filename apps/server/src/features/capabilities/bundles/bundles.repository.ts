import { type Insertable, type Updateable, type UpdateObject } from 'kysely'
import { isAlive, viewTaken } from '../../../db/share-queries.ts'
import type { Db, Schema } from '../../../schema.ts'
import type { BundleRow, BundlesTable } from './bundles.table.ts'

class BundlesRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  findById(id: string): Promise<BundleRow | undefined> {
    return this.#db.selectFrom('bundles').selectAll().where('id', '=', id).executeTakeFirst()
  }

  findBySlug(slug: string): Promise<BundleRow | undefined> {
    return this.#db.selectFrom('bundles').selectAll().where('slug', '=', slug).executeTakeFirst()
  }

  insert(row: Insertable<BundlesTable>) {
    return this.#db.insertInto('bundles').values(row).execute()
  }

  /**
   * Locks a bundle against changes of its revisions and objects until the transaction ends. A transaction must call
   * this before it reads the revisions to decide what to delete.
   * @returns whether the bundle exists and is not purged
   */
  async lock(id: string): Promise<boolean> {
    const result = await this.#db
      .updateTable('bundles')
      .set({ id })
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Records the last change of a draft. The sweep deletes drafts without recent changes. */
  touchDraft(id: string, nowMs: number) {
    return this.#db
      .updateTable('bundles')
      .set({ updated_at_ms: nowMs })
      .where('id', '=', id)
      .where('revision', '=', 0)
      .execute()
  }

  /** Changes a draft. @returns `undefined` if the bundle is published or deleted */
  updateDraft(id: string, change: Updateable<BundlesTable>): Promise<BundleRow | undefined> {
    return this.#db
      .updateTable('bundles')
      .set(change)
      .where('id', '=', id)
      .where('revision', '=', 0)
      .where('purged_at_ms', 'is', null)
      .returningAll()
      .executeTakeFirst()
  }

  /** Deletes a bundle with its revisions. @returns whether it existed */
  async delete(id: string): Promise<boolean> {
    const result = await this.#db.deleteFrom('bundles').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  }

  /** Deletes a tombstone so that its link suffix can be used again. */
  deleteTombstoneBySlug(slug: string) {
    return this.#db
      .deleteFrom('bundles')
      .where('slug', '=', slug)
      .where('purged_at_ms', 'is not', null)
      .execute()
  }

  /** Changes a bundle. @returns the changed row; `undefined` if it is purged or does not exist */
  update(id: string, change: UpdateObject<Schema, 'bundles'>): Promise<BundleRow | undefined> {
    return this.#db
      .updateTable('bundles')
      .set(change)
      .where('id', '=', id)
      .where('purged_at_ms', 'is', null)
      .returningAll()
      .executeTakeFirst()
  }

  /**
   * Moves a bundle to its next revision, in one statement. @returns the bundle, or `undefined` if it is purged or no
   * longer at the expected revision
   */
  advance(
    id: string,
    expected: number,
    change: Pick<Updateable<BundlesTable>, 'title' | 'item_count' | 'size_bytes' | 'updated_at_ms'>,
  ): Promise<BundleRow | undefined> {
    return this.#db
      .updateTable('bundles')
      .set({ ...change, revision: expected + 1 })
      .where('id', '=', id)
      .where('revision', '=', expected)
      .where('purged_at_ms', 'is', null)
      .returningAll()
      .executeTakeFirst()
  }

  /**
   * Counts a view of a published bundle, and retains its contents until `graceUntilMs`. @returns `undefined` if it has
   * expired, is used up or has another link suffix
   */
  takeView(
    { id, slug }: Pick<BundleRow, 'id' | 'slug'>,
    { nowMs, graceUntilMs }: { nowMs: number; graceUntilMs: number },
  ): Promise<BundleRow | undefined> {
    return this.#db
      .updateTable('bundles')
      .set({ ...viewTaken(graceUntilMs), last_view_at_ms: nowMs })
      .where('id', '=', id)
      .where('slug', '=', slug)
      .where('revision', '>', 0)
      .where(isAlive(nowMs))
      .returningAll()
      .executeTakeFirst()
  }
}

export const bundlesRepository = (db: Db) => new BundlesRepository(db)
