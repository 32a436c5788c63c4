import type { Insertable, Updateable } from 'kysely'
import { type Blank, cached } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'
import type { StorageConfigsTable } from './storage-configs.table.ts'

const findById = cached((db, { arg }: Blank<string>) =>
  db
    .selectFrom('storage_configs')
    .selectAll()
    .where(
      'id',
      '=',
      arg((id) => id),
    )
    .compile(),
)

const list = cached((db, _blank: Blank<null>) =>
  db.selectFrom('storage_configs').selectAll().orderBy('name').orderBy('id').compile(),
)

export const storageConfigsRepository = (db: Db) => ({
  list: () => list(db, null),
  findById: async (id: string) => (await findById(db, id)).at(0),
  findMany: (ids: readonly string[]) =>
    ids.length === 0
      ? Promise.resolve([])
      : db.selectFrom('storage_configs').selectAll().where('id', 'in', ids).execute(),
  insert: (row: Insertable<StorageConfigsTable>) => db.insertInto('storage_configs').values(row).execute(),
  async update(id: string, change: Updateable<StorageConfigsTable>): Promise<boolean> {
    const result = await db.updateTable('storage_configs').set(change).where('id', '=', id).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async delete(id: string): Promise<boolean> {
    const result = await db.deleteFrom('storage_configs').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
  clearDefault: () =>
    db.updateTable('storage_configs').set({ is_default: 0 }).where('is_default', '=', 1).execute(),
  /** Makes the oldest storage the default if there is none. */
  ensureDefault: () =>
    db
      .updateTable('storage_configs')
      .set({ is_default: 1 })
      .where('id', '=', (e) =>
        e.selectFrom('storage_configs').select('id').orderBy('created_at_ms').orderBy('id').limit(1),
      )
      .where((e) => e.not(e.exists(e.selectFrom('storage_configs').select('id').where('is_default', '=', 1))))
      .execute(),
  /** Counts the files of shares and bundles, complete or being uploaded, and the mounts that use a storage. */
  async usage(id: string): Promise<{ files: number; mounts: number }> {
    const row = await db
      .selectNoFrom((e) => [
        e
          .selectFrom('files')
          .select(e.fn.countAll().as('n'))
          .where('storage_config_id', '=', id)
          .where('purged_at_ms', 'is', null)
          .as('files'),
        e
          .selectFrom('mounts')
          .select(e.fn.countAll().as('n'))
          .where('storage_config_id', '=', id)
          .as('mounts'),
      ])
      .executeTakeFirstOrThrow()
    return { files: Number(row.files ?? 0), mounts: Number(row.mounts ?? 0) }
  },
  /**
   * Deletes the rows of expired and used-up shares. These shares have no object, and exist only so that their links
   * respond with 410.
   */
  deleteTombstones: (id: string) =>
    db
      .deleteFrom('files')
      .where('storage_config_id', '=', id)
      .where('purged_at_ms', 'is not', null)
      .execute(),
})
