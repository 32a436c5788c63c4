import type { Insertable } from 'kysely'
import type { Db } from '../../schema.ts'
import type { StorageConfigsTable } from './storage-configs.table.ts'

export const storageConfigsRepository = (db: Db) => ({
  list: () => db.selectFrom('storage_configs').selectAll().orderBy('name').orderBy('id').execute(),
  findById: (id: string) =>
    db.selectFrom('storage_configs').selectAll().where('id', '=', id).executeTakeFirst(),
  findMany: (ids: readonly string[]) =>
    ids.length === 0
      ? Promise.resolve([])
      : db.selectFrom('storage_configs').selectAll().where('id', 'in', ids).execute(),
  insert: (row: Insertable<StorageConfigsTable>) => db.insertInto('storage_configs').values(row).execute(),
})
