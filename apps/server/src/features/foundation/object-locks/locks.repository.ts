import { type Insertable, type Selectable, sql } from 'kysely'
import { engineOf } from '../../../db/engine.ts'
import { type Blank, cachedAbsence, cached } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'
import { type StorageName, namesAround, rangeBelow } from '../../../lib/object-names.ts'
import type { DavLocksTable } from './object-locks.table.ts'

export type DavLockRow = Selectable<DavLocksTable>

/** The result includes expired locks, so that the cached result only changes when rows change. */
const findAroundAny = cached((db, { engine, arg }: Blank<StorageName>) => {
  const keys = arg(({ key }) => [...namesAround(key), key].map((around) => ({ around })))
  return db
    .selectFrom('dav_locks')
    .selectAll()
    .where(
      'storage_config_id',
      '=',
      arg(({ configId }) => configId),
    )
    .where(
      'storage_key',
      'in',
      sql<string>`(select around from ${rowsOf(engine, keys, { around: 'text' })} as given)`,
    )
    .compile()
})

const findAround = cachedAbsence(
  (db) => db.selectFrom('dav_locks').select('token').limit(1).compile(),
  findAroundAny,
)

export const locksRepository = (db: Db) => {
  const alive = (configId: string, nowMs: number) =>
    db
      .selectFrom('dav_locks')
      .selectAll()
      .where('storage_config_id', '=', configId)
      .where('expires_at_ms', '>', nowMs)

  return {
    /** Finds the locks on a file or folder and on its parent folders, at any depth. */
    findAround: async (name: StorageName, nowMs: number): Promise<DavLockRow[]> =>
      (await findAround(db, name)).filter((lock) => lock.expires_at_ms > nowMs),
    /** Finds the locks on anything below a folder, or only on its direct entries. */
    findBelow(
      { configId, key }: StorageName,
      nowMs: number,
      { isDirect = false }: { isDirect?: boolean } = {},
    ): Promise<DavLockRow[]> {
      const { from, to } = rangeBelow(key)
      // Both engines count code points in `substr`.
      const rest = sql<string>`substr(storage_key, ${sql.lit([...from].length + 1)})`
      return alive(configId, nowMs)
        .where('storage_key', '>=', from)
        .where('storage_key', '!=', key)
        .$if(to !== null, (query) => query.where('storage_key', '<', to))
        .$if(isDirect, (query) => query.where(sql<boolean>`${rest} = replace(${rest}, '/', '')`))
        .execute()
    },
    find: (token: string, nowMs: number): Promise<DavLockRow | undefined> =>
      db
        .selectFrom('dav_locks')
        .selectAll()
        .where('token', '=', token)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst(),
    insert: (row: Insertable<DavLocksTable>) => db.insertInto('dav_locks').values(row).execute(),
    prolong: (tokens: readonly string[], o: { timeout_seconds: number; expires_at_ms: number }) =>
      db.updateTable('dav_locks').set(o).where('token', 'in', tokens).execute(),
    delete: (token: string) => db.deleteFrom('dav_locks').where('token', '=', token).execute(),
    deleteExpired: (nowMs: number) =>
      db.deleteFrom('dav_locks').where('expires_at_ms', '<=', nowMs).execute(),
    /**
     * Serializes transactions that take locks in this storage. SQLite needs no serialization, because it has a single
     * writer.
     */
    async holdStorage(configId: string): Promise<void> {
      if (engineOf(db) === 'postgres')
        await db.selectFrom('storage_configs').select('id').where('id', '=', configId).forUpdate().execute()
    },
  }
}
