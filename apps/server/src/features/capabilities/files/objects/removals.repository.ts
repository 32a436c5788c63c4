import { newId } from '../../../../lib/ids.ts'
import type { Db } from '../../../../schema.ts'

interface Located {
  readonly storage_config_id: string
  readonly storage_key: string
}

const rowOf = ({ storage_config_id, storage_key }: Located, nowMs: number) => ({
  id: newId(),
  storage_config_id,
  storage_key,
  attempts: 0,
  due_at_ms: nowMs,
})

/**
 * Creates the repository of the outbox, which contains objects to delete. Entries are written in the transaction that
 * deletes the row of the object, and are processed afterwards.
 */
export const removalsRepository = (db: Db) => ({
  add: (object: Located, nowMs: number) =>
    db.insertInto('object_removals').values(rowOf(object, nowMs)).execute(),
  addAll: (objects: readonly Located[], nowMs: number) =>
    db
      .insertInto('object_removals')
      .values(objects.map((object) => rowOf(object, nowMs)))
      .execute(),
  findDue: (storageConfigId: string, { nowMs, limit }: { nowMs: number; limit: number }) =>
    db
      .selectFrom('object_removals')
      .selectAll()
      .where('storage_config_id', '=', storageConfigId)
      .where('due_at_ms', '<=', nowMs)
      .orderBy('due_at_ms')
      .limit(limit)
      .execute(),
  dueConfigs: async (nowMs: number) =>
    (
      await db
        .selectFrom('object_removals')
        .select('storage_config_id')
        .distinct()
        .where('due_at_ms', '<=', nowMs)
        .execute()
    ).map((row) => row.storage_config_id),
  isPlanned: async (storageConfigId: string, storageKey: string) =>
    (await db
      .selectFrom('object_removals')
      .select('id')
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .executeTakeFirst()) !== undefined,
  cancel: (storageConfigId: string, storageKey: string) =>
    db
      .deleteFrom('object_removals')
      .where('storage_config_id', '=', storageConfigId)
      .where('storage_key', '=', storageKey)
      .execute(),
  done: (ids: readonly string[]) => db.deleteFrom('object_removals').where('id', 'in', ids).execute(),
  postpone: (id: string, attempts: number, dueAtMs: number) =>
    db.updateTable('object_removals').set({ attempts, due_at_ms: dueAtMs }).where('id', '=', id).execute(),
})
