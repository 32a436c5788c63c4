import type { Insertable } from 'kysely'
import type { Db } from '../../../schema.ts'
import type { UrlUploadsTable } from './url-uploads.table.ts'

export const urlUploadsRepository = (db: Db) => ({
  insert: (row: Insertable<UrlUploadsTable>) => db.insertInto('url_uploads').values(row).execute(),
  find: (fileId: string) =>
    db.selectFrom('url_uploads').selectAll().where('file_id', '=', fileId).executeTakeFirst(),
  delete: (fileId: string) => db.deleteFrom('url_uploads').where('file_id', '=', fileId).execute(),
  /** Whether a multipart upload of the storage belongs to a pending share or object of a bundle. */
  isAlive: async (storageConfigId: string, uploadId: string): Promise<boolean> =>
    (await db
      .selectFrom('url_uploads')
      .innerJoin('files', 'files.id', 'url_uploads.file_id')
      .select('url_uploads.file_id')
      .where('url_uploads.storage_config_id', '=', storageConfigId)
      .where('url_uploads.storage_upload_id', '=', uploadId)
      .where('files.committed_at_ms', 'is', null)
      .executeTakeFirst()) !== undefined,
  /**
   * Returns a page of multipart uploads whose share or object of a bundle was committed or deleted, sorted by its id.
   */
  findOrphans: ({ after, limit }: { after: string; limit: number }) =>
    db
      .selectFrom('url_uploads')
      .leftJoin('files', 'files.id', 'url_uploads.file_id')
      .selectAll('url_uploads')
      .where((eb) => eb.or([eb('files.id', 'is', null), eb('files.committed_at_ms', 'is not', null)]))
      .where('url_uploads.file_id', '>', after)
      .orderBy('url_uploads.file_id')
      .limit(limit)
      .execute(),
})
