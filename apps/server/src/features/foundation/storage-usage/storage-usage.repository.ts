import { sql } from 'kysely'
import { engineOf } from '../../../db/engine.ts'
import { type Blank, cachedAbsence, prepared, cached } from '../../../db/prepared.ts'
import type { Db } from '../../../schema.ts'

export interface Exceptions {
  /** Id of a row in `files` to exclude. */
  readonly fileId?: string | undefined
  /** Id of an upload into a mount to exclude. */
  readonly uploadId?: string | undefined
  /** Id of a reservation to exclude. */
  readonly reservationId?: string | undefined
}

export interface UsageSums {
  /** Bytes of the complete objects that shares and bundles own. */
  readonly sharedBytes: number
  /** Announced bytes of uploads in progress, and bytes reserved for running writes. */
  readonly promisedBytes: number
}

interface Shares {
  readonly configId: string
  readonly fileId: string
}

/**
 * Sums all shares; an excluded share is subtracted afterwards. On SQLite, triggers maintain the sums (migrations 19 and
 * 21).
 */
const sumsOfShares = cached((db, { arg, engine }: Blank<Shares>) => {
  const configId = arg((o) => o.configId)
  const fileId = arg((o) => o.fileId)
  const counted = sql`storage_config_id = ${configId} and purged_at_ms is null and owns_object = 1`
  const own = sql`from files where id = ${fileId} and ${counted}`
  const all = sql`from files where ${counted}`
  const kept = sql`from share_sums where storage_config_id = ${configId}`
  const [shared, pending] =
    engine === 'sqlite'
      ? [sql`select shared_bytes ${kept}`, sql`select pending_bytes ${kept}`]
      : [
          sql`select sum(size_bytes) ${all} and committed_at_ms is not null`,
          sql`select sum(size_bytes) ${all} and committed_at_ms is null`,
        ]
  return sql<Record<'shared' | 'pending', number | string>>`
    select
      coalesce((${shared}), 0)
        - coalesce((select size_bytes ${own} and committed_at_ms is not null), 0) as shared,
      coalesce((${pending}), 0)
        - coalesce((select size_bytes ${own} and committed_at_ms is null), 0) as pending`.compile(db)
})

interface Promises {
  readonly configId: string
  readonly uploadId: string
  readonly reservationId: string
  readonly nowMs: number
}

type SumsOfPromises = Record<'uploads' | 'reserved', number | string>

const sumWhatIsPromised = prepared((db, { arg }: Blank<Promises>) => {
  const configId = arg((o) => o.configId)
  const nowMs = arg((o) => o.nowMs)
  return sql<SumsOfPromises>`
    select
      coalesce((select sum(coalesce(stored_size_bytes, size_bytes)) from fs_uploads where storage_config_id = ${configId}
        and state in ('open', 'completing') and expires_at_ms > ${nowMs} and id <> ${arg((o) => o.uploadId)}), 0) as uploads,
      coalesce((select sum(size_bytes) from storage_reservations where storage_config_id = ${configId}
        and expires_at_ms > ${nowMs} and id <> ${arg((o) => o.reservationId)}), 0) as reserved`.compile(db)
})

const sumsOfPromises = cachedAbsence((db, { arg }: Blank<Promises>) => {
  const configId = arg((o) => o.configId)
  return sql`
    select * from (select 1 from fs_uploads where storage_config_id = ${configId} and state in ('open', 'completing') limit 1)
    union all
    select * from (select 1 from storage_reservations where storage_config_id = ${configId} limit 1)`.compile(
    db,
  )
}, sumWhatIsPromised)

const lock = prepared((db, { arg }: Blank<string>) => {
  const configId = arg((id) => id)
  return sql`update storage_configs set id = id where id = ${configId}`.compile(db)
})

interface Reservation {
  readonly id: string
  readonly storage_config_id: string
  readonly size_bytes: number
  readonly expires_at_ms: number
}

const reserve = prepared((db, { arg }: Blank<Reservation>) =>
  db
    .insertInto('storage_reservations')
    .values({
      id: arg((row) => row.id),
      storage_config_id: arg((row) => row.storage_config_id),
      size_bytes: arg((row) => row.size_bytes),
      expires_at_ms: arg((row) => row.expires_at_ms),
    })
    .compile(),
)

const release = prepared((db, { arg }: Blank<string>) =>
  db
    .deleteFrom('storage_reservations')
    .where(
      'id',
      '=',
      arg((id) => id),
    )
    .compile(),
)

export const storageUsageRepository = (db: Db) => ({
  async sums(
    configId: string,
    { fileId = '', uploadId = '', reservationId = '' }: Exceptions,
    nowMs: number,
  ): Promise<UsageSums> {
    const [shares] = await sumsOfShares(db, { configId, fileId })
    const [promises] = await sumsOfPromises(db, { configId, uploadId, reservationId, nowMs })
    const { shared = 0, pending = 0 } = shares ?? {}
    const { uploads = 0, reserved = 0 } = promises ?? {}
    return {
      sharedBytes: Number(shared),
      promisedBytes: Number(pending) + Number(uploads) + Number(reserved),
    }
  },
  /** Serializes transactions that take this lock. SQLite needs no serialization, because it has a single writer. */
  async lock(configId: string): Promise<void> {
    if (engineOf(db) === 'postgres') await lock(db, configId)
  },
  reserve: (row: Reservation) => reserve(db, row),
  prolong: (id: string, expiresAtMs: number) =>
    db.updateTable('storage_reservations').set({ expires_at_ms: expiresAtMs }).where('id', '=', id).execute(),
  resize: (id: string, sizeBytes: number) =>
    db.updateTable('storage_reservations').set({ size_bytes: sizeBytes }).where('id', '=', id).execute(),
  release: (id: string) => release(db, id),
  async sumExpired(nowMs: number): Promise<{ count: number; bytes: number }> {
    const row = await db
      .selectFrom('storage_reservations')
      .select((e) => [e.fn.countAll().as('count'), e.fn.sum('size_bytes').as('bytes')])
      .where('expires_at_ms', '<=', nowMs)
      .executeTakeFirstOrThrow()
    return { count: Number(row.count), bytes: Number(row.bytes ?? 0) }
  },
  releaseExpired: (nowMs: number) =>
    db.deleteFrom('storage_reservations').where('expires_at_ms', '<=', nowMs).execute(),
  releaseAll: () => db.deleteFrom('storage_reservations').execute(),
})
