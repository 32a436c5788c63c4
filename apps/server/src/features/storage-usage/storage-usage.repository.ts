import { sql } from 'kysely'
import type { Db } from '../../schema.ts'

export interface Exceptions {
  /** A row of `files` that is not counted. */
  readonly fileId?: string | undefined
  /** An upload into a mount that is not counted. */
  readonly uploadId?: string | undefined
  /** Room that is held and not counted. */
  readonly reservationId?: string | undefined
}

export interface UsageSums {
  /** Of committed shares. */
  readonly sharedBytes: number
  /** Of everything that is on its way. */
  readonly promisedBytes: number
}

export const storageUsageRepository = (db: Db) => ({
  async sums(
    configId: string,
    { fileId = '', uploadId = '', reservationId = '' }: Exceptions,
    nowMs: number,
  ): Promise<UsageSums> {
    const { rows } = await sql<Record<'shared' | 'pending' | 'uploads' | 'reserved', number | string>>`
      select
        coalesce((select sum(size_bytes) from files where storage_config_id = ${configId}
          and purged_at_ms is null and committed_at_ms is not null and id <> ${fileId}), 0) as shared,
        coalesce((select sum(size_bytes) from files where storage_config_id = ${configId}
          and purged_at_ms is null and committed_at_ms is null and id <> ${fileId}), 0) as pending,
        coalesce((select sum(coalesce(stored_size_bytes, size_bytes)) from fs_uploads where storage_config_id = ${configId}
          and state in ('open', 'completing') and expires_at_ms > ${nowMs} and id <> ${uploadId}), 0) as uploads,
        coalesce((select sum(size_bytes) from storage_reservations where storage_config_id = ${configId}
          and expires_at_ms > ${nowMs} and id <> ${reservationId}), 0) as reserved`.execute(db)
    const row = rows[0]
    return {
      sharedBytes: Number(row?.shared ?? 0),
      promisedBytes: Number(row?.pending ?? 0) + Number(row?.uploads ?? 0) + Number(row?.reserved ?? 0),
    }
  },
  /** Makes every other transaction that does the same wait for the end of this one. */
  lock: (configId: string) =>
    db
      .updateTable('storage_configs')
      .set({ id: sql<string>`id` })
      .where('id', '=', configId)
      .execute(),
  reserve: (row: { id: string; storage_config_id: string; size_bytes: number; expires_at_ms: number }) =>
    db.insertInto('storage_reservations').values(row).execute(),
  prolong: (id: string, expiresAtMs: number) =>
    db.updateTable('storage_reservations').set({ expires_at_ms: expiresAtMs }).where('id', '=', id).execute(),
  resize: (id: string, sizeBytes: number) =>
    db.updateTable('storage_reservations').set({ size_bytes: sizeBytes }).where('id', '=', id).execute(),
  release: (id: string) => db.deleteFrom('storage_reservations').where('id', '=', id).execute(),
  releaseExpired: (nowMs: number) =>
    db.deleteFrom('storage_reservations').where('expires_at_ms', '<=', nowMs).execute(),
  releaseAll: () => db.deleteFrom('storage_reservations').execute(),
})
