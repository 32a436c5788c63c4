import type { Insertable } from 'kysely'
import type { Db } from '../../schema.ts'
import type { MountsTable } from './mounts.table.ts'

export const mountsRepository = (db: Db) => ({
  listActive: () =>
    db
      .selectFrom('mounts')
      .selectAll()
      .where('is_active', '=', 1)
      .orderBy('sort_order')
      .orderBy('name')
      .execute(),
  /** Active mounts of storages that API keys may use. */
  listOpenToKeys: () =>
    db
      .selectFrom('mounts')
      .innerJoin('storage_configs', 'storage_configs.id', 'mounts.storage_config_id')
      .selectAll('mounts')
      .where('mounts.is_active', '=', 1)
      .where('storage_configs.is_public', '=', 1)
      .orderBy('mounts.sort_order')
      .orderBy('mounts.name')
      .execute(),
  insert: (row: Insertable<MountsTable>) => db.insertInto('mounts').values(row).execute(),
})
