import type { Db } from '../../../schema.ts'
import type { FileRow } from '../files/files.table.ts'

/** Uploaded objects of bundles. They are rows of `files`, without a link of their own. */
export const bundleObjectsRepository = (db: Db) => ({
  find: (bundleId: string, number: number): Promise<FileRow | undefined> =>
    db
      .selectFrom('files')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('object_number', '=', number)
      .executeTakeFirst(),

  /** The complete objects of a bundle, by number. */
  list: (bundleId: string): Promise<FileRow[]> =>
    db
      .selectFrom('files')
      .selectAll()
      .where('bundle_id', '=', bundleId)
      .where('committed_at_ms', 'is not', null)
      .where('purged_at_ms', 'is', null)
      .orderBy('object_number')
      .execute(),
})
