import type { Insertable } from 'kysely'
import type { Db } from '../../schema.ts'
import type { KeyHoldsTable } from './key-holds.table.ts'

/** Rows of one statement; engines bound the number of its parameters. */
const BATCH = 500

type HoldRow = Insertable<KeyHoldsTable>

export const keyHoldsRepository = (db: Db) => ({
  /**
   * Takes names that are free, over, or of the same owner.
   * @param rows each name once. In one order everywhere, or two that take the same ones wait for each other.
   * @returns how many were taken.
   */
  async take(rows: readonly HoldRow[], { owner, nowMs }: { owner: string; nowMs: number }): Promise<number> {
    let taken = 0
    for (let from = 0; from < rows.length; from += BATCH) {
      const got = await db
        .insertInto('key_holds')
        .values(rows.slice(from, from + BATCH))
        .onConflict((conflict) =>
          conflict
            .columns(['storage_config_id', 'storage_key'])
            .doUpdateSet((eb) => ({
              holder: eb.ref('excluded.holder'),
              owner: eb.ref('excluded.owner'),
              expires_at_ms: eb.ref('excluded.expires_at_ms'),
            }))
            .where((eb) =>
              eb.or([eb('key_holds.owner', '=', owner), eb('key_holds.expires_at_ms', '<=', nowMs)]),
            ),
        )
        .returning('storage_key')
        .execute()
      taken += got.length
    }
    return taken
  },
  prolong: (holder: string, expiresAtMs: number) =>
    db.updateTable('key_holds').set({ expires_at_ms: expiresAtMs }).where('holder', '=', holder).execute(),
  async release(holder: string, configId: string, keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += BATCH) {
      await db
        .deleteFrom('key_holds')
        .where('storage_config_id', '=', configId)
        .where('storage_key', 'in', keys.slice(from, from + BATCH))
        .where('holder', '=', holder)
        .execute()
    }
  },
  releaseAll: (holder: string) => db.deleteFrom('key_holds').where('holder', '=', holder).execute(),
  deleteExpired: (nowMs: number) => db.deleteFrom('key_holds').where('expires_at_ms', '<=', nowMs).execute(),
})
