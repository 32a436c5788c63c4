import { type Expression, type ExpressionBuilder, type Insertable, type SqlBool, sql } from 'kysely'
import type { OpenDatabase } from '../../../../db/database.ts'
import type { Db, Schema } from '../../../../schema.ts'
import type { KeyLeasesTable } from './key-leases.table.ts'

/** Number of rows per statement. Databases limit the number of parameters. */
const BATCH = 500

export type StoredHold = Insertable<KeyLeasesTable>

export interface KeyLeasesStore {
  /** Leases all keys, or none. @param rows see `take`. @returns whether the keys were leased. */
  takeAll(rows: readonly StoredHold[], o: { owner: string; nowMs: number }): Promise<boolean>
  hasAny(o: { configId: string; keys: readonly string[]; nowMs: number }): Promise<boolean>
  /** Returns the holders of leases on keys with the prefix. */
  holdersIn(o: { configId: string; prefix: string; nowMs: number }): Promise<ReadonlySet<string>>
  prolong(holder: string, expiresAtMs: number): Promise<void>
  release(holder: string, configId: string, keys: readonly string[]): Promise<void>
  releaseAll(holder: string): Promise<void>
  deleteExpired(nowMs: number): Promise<void>
}

class TakenError extends Error {
  override readonly name = 'TakenError'
}

type Where = (eb: ExpressionBuilder<Schema, 'key_holds'>) => Expression<SqlBool>

/**
 * Locks the rows of an update or delete in the order in which leases are taken. Any other order could deadlock with a
 * transaction that takes leases.
 */
const inOrder = (db: Db, where: Where) => {
  const rows = db
    .selectFrom('key_holds')
    .select(['storage_config_id', 'storage_key'])
    .where(where)
    .orderBy(sql`storage_config_id collate "C"`)
    .orderBy(sql`storage_key collate "C"`)
    .forUpdate()
  return sql<SqlBool>`(storage_config_id, storage_key) in ${rows}`
}

const keyLeasesRepository = (db: Db) => ({
  /**
   * Leases keys that are free, expired, or leased by the same owner.
   * @param rows each key once, sorted as by `inOrder`.
   * @returns how many keys were leased.
   */
  async take(
    rows: readonly StoredHold[],
    { owner, nowMs }: { owner: string; nowMs: number },
  ): Promise<number> {
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
  async hasAny({ configId, keys, nowMs }: { configId: string; keys: readonly string[]; nowMs: number }) {
    const held = db
      .selectFrom('key_holds')
      .select('holder')
      .where('storage_config_id', '=', configId)
      .where('storage_key', 'in', keys)
      .where('expires_at_ms', '>', nowMs)
    return keys.length > 0 && (await held.limit(1).executeTakeFirst()) !== undefined
  },
  async holdersIn({ configId, prefix, nowMs }: { configId: string; prefix: string; nowMs: number }) {
    const rows = await db
      .selectFrom('key_holds')
      .select('holder')
      .distinct()
      .where('storage_config_id', '=', configId)
      .where(sql<boolean>`starts_with(storage_key, ${prefix})`)
      .where('expires_at_ms', '>', nowMs)
      .execute()
    return new Set(rows.map(({ holder }) => holder))
  },
  async prolong(holder: string, expiresAtMs: number): Promise<void> {
    await db
      .updateTable('key_holds')
      .set({ expires_at_ms: expiresAtMs })
      .where(inOrder(db, (eb) => eb('holder', '=', holder)))
      .execute()
  },
  async release(holder: string, configId: string, keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += BATCH) {
      const some = keys.slice(from, from + BATCH)
      const own: Where = (eb) =>
        eb.and([eb.and({ storage_config_id: configId, holder }), eb('storage_key', 'in', some)])
      // A single lease needs no row order. Most writes release only one lease.
      const where = some.length === 1 ? own : inOrder(db, own)
      await db.deleteFrom('key_holds').where(where).execute()
    }
  },
  async releaseAll(holder: string): Promise<void> {
    const own: Where = (eb) => eb('holder', '=', holder)
    await db.deleteFrom('key_holds').where(inOrder(db, own)).execute()
  },
  async deleteExpired(nowMs: number): Promise<void> {
    const over: Where = (eb) => eb('expires_at_ms', '<=', nowMs)
    await db.deleteFrom('key_holds').where(inOrder(db, over)).execute()
  },
})

/** Leases in the database, shared by all replicas. */
export const sharedKeyLeases = (database: OpenDatabase<Schema>): KeyLeasesStore => ({
  ...keyLeasesRepository(database.db),
  async takeAll(rows, o) {
    try {
      await database.transaction(async (trx) => {
        if ((await keyLeasesRepository(trx).take(rows, o)) < rows.length) throw new TakenError()
      })
      return true
    } catch (error) {
      if (error instanceof TakenError) return false
      throw error
    }
  },
})
