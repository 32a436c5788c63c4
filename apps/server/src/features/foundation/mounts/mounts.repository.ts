import type { Insertable, Updateable } from 'kysely'
import { cached } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'
import type { MountsTable } from './mounts.table.ts'

const listActive = cached((db) =>
  db
    .selectFrom('mounts')
    .selectAll()
    .where('is_active', '=', 1)
    .orderBy('sort_order')
    .orderBy('name')
    .orderBy('id')
    .compile(),
)

const listOpenToKeys = cached((db) =>
  db
    .selectFrom('mounts')
    .innerJoin('storage_configs', 'storage_configs.id', 'mounts.storage_config_id')
    .selectAll('mounts')
    .where('mounts.is_active', '=', 1)
    .where('storage_configs.is_public', '=', 1)
    .orderBy('mounts.sort_order')
    .orderBy('mounts.name')
    .orderBy('mounts.id')
    .compile(),
)

export const mountsRepository = (db: Db) => ({
  list: () =>
    db.selectFrom('mounts').selectAll().orderBy('sort_order').orderBy('name').orderBy('id').execute(),
  count: async () =>
    Number(
      (
        await db
          .selectFrom('mounts')
          .select((e) => e.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    ),
  findById: (id: string) => db.selectFrom('mounts').selectAll().where('id', '=', id).executeTakeFirst(),
  listActive: () => listActive(db, null),
  listOpenToKeys: () => listOpenToKeys(db, null),
  insert: (row: Insertable<MountsTable>) => db.insertInto('mounts').values(row).execute(),
  async update(id: string, change: Updateable<MountsTable>): Promise<boolean> {
    const result = await db.updateTable('mounts').set(change).where('id', '=', id).executeTakeFirst()
    return result.numUpdatedRows > 0n
  },
  async delete(id: string): Promise<boolean> {
    const result = await db.deleteFrom('mounts').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  },
  /** Updates a mount's last-used time, unless the stored time is at or after `sinceMs`. */
  touch: (id: string, { nowMs, sinceMs }: { nowMs: number; sinceMs: number }) =>
    db
      .updateTable('mounts')
      .set({ last_used_at_ms: nowMs })
      .where('id', '=', id)
      .where((e) => e.or([e('last_used_at_ms', 'is', null), e('last_used_at_ms', '<', sinceMs)]))
      .execute(),
})
