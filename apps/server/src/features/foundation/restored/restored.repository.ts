import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import type { Db } from '../../../schema.ts'
import type { Forgotten, RestoredMark } from './restored.models.ts'

/** Settings key for the time of the backup from which the database was restored. */
const RESTORED_KEY = 'restored_from'

/** Reads and changes the state of a restored database, and discards the work that it must not resume. */
export const restoredRepository = (db: Db) => {
  const buckets = db
    .selectFrom('storage_configs')
    .select('id')
    .where('provider_type', '!=', LOCAL_DISK_PROVIDER)
  return {
    async find(): Promise<RestoredMark | undefined> {
      const row = await db
        .selectFrom('settings')
        .select(['value', 'updated_at_ms'])
        .where('key', '=', RESTORED_KEY)
        .executeTakeFirst()
      return row && { savedAt: row.value, restoredAtMs: row.updated_at_ms }
    },
    async mark({ savedAt, restoredAtMs }: RestoredMark): Promise<void> {
      const row = { key: RESTORED_KEY, value: savedAt, updated_at_ms: restoredAtMs }
      await db
        .insertInto('settings')
        .values(row)
        .onConflict((c) => c.column('key').doUpdateSet(row))
        .execute()
    },
    async unmark(): Promise<void> {
      await db.deleteFrom('settings').where('key', '=', RESTORED_KEY).execute()
    },

    /** Returns the ids of all storages that are not local disks. */
    async buckets(): Promise<string[]> {
      return (await buckets.execute()).map(({ id }) => id)
    },
    /** Returns the number of objects in buckets that wait for deletion. */
    async countWaiting(): Promise<number> {
      const row = await db
        .selectFrom('object_removals')
        .select((e) => e.fn.countAll().as('count'))
        .where('storage_config_id', 'in', buckets)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    /**
     * Discards the uploads and planned removals in buckets, and cancels all tasks that had not ended at the time of the
     * backup. Stored objects are not deleted.
     */
    async forgetUnderWay(nowMs: number): Promise<Forgotten> {
      const removals = await db
        .deleteFrom('object_removals')
        .where('storage_config_id', 'in', buckets)
        .executeTakeFirst()
      await db.deleteFrom('url_uploads').where('storage_config_id', 'in', buckets).execute()
      await db.deleteFrom('unfinished_uploads').where('storage_config_id', 'in', buckets).execute()
      const sessions = await db
        .deleteFrom('fs_uploads')
        .where('storage_config_id', 'in', buckets)
        .executeTakeFirst()
      const shares = await db
        .deleteFrom('files')
        .where('committed_at_ms', 'is', null)
        .where('storage_config_id', 'in', buckets)
        .executeTakeFirst()
      const tasks = await db
        .updateTable('tasks')
        .set({
          state: 'cancelled',
          finished_at_ms: nowMs,
          updated_at_ms: nowMs,
          lease_owner: null,
          lease_until_ms: null,
        })
        .where('state', 'in', ['pending', 'running'])
        .executeTakeFirst()
      return {
        tasks: Number(tasks.numUpdatedRows),
        uploads: Number(sessions.numDeletedRows + shares.numDeletedRows),
        removals: Number(removals.numDeletedRows),
      }
    },
  }
}
