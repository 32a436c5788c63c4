import type { Db } from '../../../schema.ts'
import type { BundleRevisionRow } from './bundles.table.ts'

export const bundleRevisionsRepository = (db: Db) => ({
  find: (bundleId: string, revision: number): Promise<BundleRevisionRow | undefined> =>
    db
      .selectFrom('bundle_revisions')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('revision', '=', revision)
      .executeTakeFirst(),

  /** Finds a revision, without its manifest. */
  findFacts: (bundleId: string, revision: number) =>
    db
      .selectFrom('bundle_revisions')
      .select(['revision', 'manifest_bytes', 'created_at_ms'])
      .where('bundle_id', '=', bundleId)
      .where('revision', '=', revision)
      .executeTakeFirst(),

  /** Finds the numbers of a revision's objects. */
  findObjects: (bundleId: string, revision: number) =>
    db
      .selectFrom('bundle_revisions')
      .select('objects')
      .where('bundle_id', '=', bundleId)
      .where('revision', '=', revision)
      .executeTakeFirst(),

  /** Lists the stored revisions without their manifests, newest first. */
  list: (bundleId: string) =>
    db
      .selectFrom('bundle_revisions')
      .select([
        'revision',
        'manifest_bytes',
        'objects',
        'title',
        'item_count',
        'size_bytes',
        'created_at_ms',
        'replaced_at_ms',
      ])
      .where('bundle_id', '=', bundleId)
      .orderBy('revision', 'desc')
      .execute(),

  delete: (bundleId: string, revisions: readonly number[]) =>
    db
      .deleteFrom('bundle_revisions')
      .where('bundle_id', '=', bundleId)
      .where('revision', 'in', revisions)
      .execute(),

  deleteAll: (bundleId: string) =>
    db.deleteFrom('bundle_revisions').where('bundle_id', '=', bundleId).execute(),

  insert: (row: BundleRevisionRow) => db.insertInto('bundle_revisions').values(row).execute(),

  /** Records the time when the revisions before `revision` were replaced. */
  markReplaced: (bundleId: string, revision: number, nowMs: number) =>
    db
      .updateTable('bundle_revisions')
      .set({ replaced_at_ms: nowMs })
      .where('bundle_id', '=', bundleId)
      .where('revision', '<', revision)
      .where('replaced_at_ms', 'is', null)
      .execute(),
})
