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
  insert: (row: Insertable<MountsTable>) => db.insertInto('mounts').values(row).execute(),
})
