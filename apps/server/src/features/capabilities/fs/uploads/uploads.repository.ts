import { sql, type Updateable } from 'kysely'
import type { Db } from '../../../../schema.ts'
import type { FsUploadRow, FsUploadsTable } from './uploads.table.ts'

const ALIVE = ['open', 'completing'] as const

class UploadsRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  insert(row: FsUploadRow) {
    return this.#db.insertInto('fs_uploads').values(row).execute()
  }

  findById(id: string) {
    return this.#db.selectFrom('fs_uploads').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Lists the open multipart uploads of one creator, newest first. */
  listOpen(createdBy: string, { limit, offset, nowMs }: { limit: number; offset: number; nowMs: number }) {
    return this.#db
      .selectFrom('fs_uploads')
      .selectAll()
      .where('created_by', '=', createdBy)
      .where('kind', '=', 'multipart')
      .where('state', '=', 'open')
      .where('expires_at_ms', '>', nowMs)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute()
  }

  /**
   * Changes an upload that has not ended.
   * @returns whether such an upload exists.
   */
  async changeAlive(id: string, change: Updateable<FsUploadsTable>): Promise<boolean> {
    const result = await this.#db
      .updateTable('fs_uploads')
      .set(change)
      .where('id', '=', id)
      .where('state', 'in', ALIVE)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Records the result of an upload, even if the upload was aborted meanwhile, because the file exists. */
  commit(id: string, result: Pick<FsUploadRow, 'etag' | 'stored_size_bytes' | 'expires_at_ms'>) {
    return this.#db
      .updateTable('fs_uploads')
      .set({ ...result, state: 'committed' })
      .where('id', '=', id)
      .execute()
  }

  /**
   * Records that the upload is being completed, and the etag of the object that it replaces.
   * @returns whether the upload had not ended yet.
   */
  async beginCompleting(
    id: string,
    { replacedEtag, sizeBytes }: { replacedEtag: string | null; sizeBytes: number },
  ): Promise<boolean> {
    const result = await this.#db
      .updateTable('fs_uploads')
      .set({
        state: 'completing',
        replaced_etag: sql<
          string | null
        >`case when state = 'open' then cast(${replacedEtag} as text) else replaced_etag end`,
        stored_size_bytes: sizeBytes,
      })
      .where('id', '=', id)
      .where('state', 'in', ALIVE)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  }

  /** Lists expired rows after `afterId`, ordered by ID. */
  findExpired(nowMs: number, { afterId, limit }: { afterId: string; limit: number }) {
    return this.#db
      .selectFrom('fs_uploads')
      .selectAll()
      .where('expires_at_ms', '<=', nowMs)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  /** Returns the totals of uploads that expired before they ended. */
  async sumAbandoned(nowMs: number): Promise<{ count: number; bytes: number }> {
    const row = await this.#db
      .selectFrom('fs_uploads')
      .select((e) => [e.fn.countAll().as('count'), e.fn.sum('size_bytes').as('bytes')])
      .where('expires_at_ms', '<=', nowMs)
      .where('state', 'in', ALIVE)
      .executeTakeFirstOrThrow()
    return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
  }

  async isAlive(
    storageConfigId: string,
    { uploadId, nowMs }: { uploadId: string; nowMs: number },
  ): Promise<boolean> {
    return (
      (await this.#db
        .selectFrom('fs_uploads')
        .select('id')
        .where('storage_config_id', '=', storageConfigId)
        .where('storage_upload_id', '=', uploadId)
        .where('state', 'in', ALIVE)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst()) !== undefined
    )
  }

  /** Deletes a row if it is still expired. */
  deleteExpired(id: string, nowMs: number) {
    return this.#db
      .deleteFrom('fs_uploads')
      .where('id', '=', id)
      .where('expires_at_ms', '<=', nowMs)
      .execute()
  }
}

export const uploadsRepository = (db: Db) => new UploadsRepository(db)
