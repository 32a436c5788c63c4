import { sql } from 'kysely'
import { type Blank, cachedAbsence, prepared } from '../../../db/prepared.ts'
import { rowsOf } from '../../../db/rows.ts'
import type { Db } from '../../../schema.ts'

interface KeysOf {
  readonly configId: string
  readonly keys: readonly string[]
}

/**
 * Ids of all storage configs with the same bucket name, including the given one. A bucket can be configured more than
 * once.
 */
const sameStorage = (configId: string) => sql<string>`(
  select cast(${configId} as text) as id union
  select other.id from storage_configs as own
  join storage_configs as other on other.bucket_name = own.bucket_name
  where own.id = ${configId})`

const OWNS_OBJECT = sql`purged_at_ms is null and owns_object = 1`

const ownedKeys = prepared((db, { engine, arg }: Blank<KeysOf & { orDid: boolean }>) => {
  const keys = arg((o) => o.keys.map((wanted) => ({ wanted })))
  const given = sql<string>`(select wanted from ${rowsOf(engine, keys, { wanted: 'text' })} as given)`
  const same = sameStorage(arg((o) => o.configId))
  return sql<{ storage_key: string }>`
    select storage_key from files
    where storage_config_id in ${same} and storage_key in ${given} and ${OWNS_OBJECT}
    union all
    select storage_key from object_removals
    where ${arg((o) => Number(o.orDid))} = 1 and storage_config_id in ${same} and storage_key in ${given}`.compile(
    db,
  )
})

const ownedAmong = cachedAbsence((db, { arg }: Blank<KeysOf & { orDid: boolean }>) => {
  const same = sameStorage(arg((o) => o.configId))
  return sql`
    select * from (select 1 from files where storage_config_id in ${same} limit 1)
    union all
    select * from (select 1 from object_removals where storage_config_id in ${same} limit 1)`.compile(db)
}, ownedKeys)

/** Finds the objects of a storage that belong to shares. */
export const shareObjectsRepository = (db: Db, configId: string) => ({
  async sameStorage(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from ${sameStorage(configId)} as same`.execute(db)
    return rows.map(({ id }) => id)
  },
  /** Returns the given keys that belong to shares of the storage. With `orDid`, also returns keys of deleted shares. */
  async ownedAmong(keys: readonly string[], { orDid }: { orDid: boolean }): Promise<string[]> {
    return (await ownedAmong(db, { configId, keys, orDid })).map((row) => row.storage_key)
  },
  /** Whether a folder (`a/`) contains objects that belong or belonged to shares of the storage. */
  async hasOwnedBelow(folder: string): Promise<boolean> {
    const isBelow = sql`storage_config_id in ${sameStorage(configId)}
      and substr(storage_key, 1, ${[...folder].length}) = ${folder}`
    const { rows } = await sql`
      select 1 from files where ${isBelow} and ${OWNS_OBJECT}
      union all
      select 1 from object_removals where ${isBelow} limit 1`.execute(db)
    return rows.length > 0
  },
})
