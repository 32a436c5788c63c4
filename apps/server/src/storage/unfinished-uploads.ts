import type { NoteUpload, StorageDriver, UploadNote } from '@dropleaf/storage'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { UnfinishedUploadsTable } from './unfinished-uploads.table.ts'

interface Place {
  readonly configId: string
  readonly key: string
}

/** An object in a storage that may have parts which no upload accounts for. */
export interface UnfinishedUpload extends Place {
  readonly id: string
}

/**
 * A bucket keeps the parts of a write that a crash interrupts, and charges for them. Their id is known only when they
 * may already exist, so the key is recorded in advance.
 */
export interface UnfinishedUploads {
  /** Of the writes to one storage. Rejects, and so fails the write, when it cannot be noted. */
  noting(configId: string): NoteUpload
  /**
   * Notes an upload in a bucket while `work` begins it and puts it down elsewhere. A disk keeps beside the parts what they
   * are for.
   */
  whileBegun<T>(place: Place & { driver: StorageDriver }, work: () => Promise<T>): Promise<T>
  /** Those whose process does not live, or did not clean up, in the order of their ids, after `afterId`. */
  findDead(o: { afterId: string; limit: number }): Promise<UnfinishedUpload[]>
  /** Whether somebody who lives is at one of that object. */
  isUnderWay(place: Place): Promise<boolean>
  forget(id: string): Promise<void>
  /** At a start that no other process runs beside: nobody lives. */
  expireAll(): Promise<void>
  close(): void
}

interface UnfinishedUploadsOnly {
  unfinished_uploads: UnfinishedUploadsTable
}

const HEARTBEAT_MS = 60_000
/** Far longer than clocks of replicas differ, or a database is unreachable: a live upload that counts as dead fails. */
const LEASE_MS = 15 * HEARTBEAT_MS

export function createUnfinishedUploads({
  db: database,
  clock,
  log,
}: {
  db: Kysely<UnfinishedUploadsOnly & object>
  clock: Clock
  log: FastifyBaseLogger
}): UnfinishedUploads {
  const db = database as unknown as Kysely<UnfinishedUploadsOnly>
  /** Of this process, whatever the database says. */
  const live = new Map<string, Place>()

  /** What is not said in time is found by the sweep: neither the write nor its caller is to fail by it. */
  const quietly = (what: string, work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, what),
    )

  const prolong = () =>
    db
      .updateTable('unfinished_uploads')
      .set({ expires_at_ms: clock.nowMs() + LEASE_MS })
      .where('id', 'in', [...live.keys()])
      .execute()

  const beat = setInterval(() => {
    if (live.size > 0) void quietly('uploads under way could not be noted as such', prolong())
  }, HEARTBEAT_MS).unref()

  const forget = async (id: string): Promise<void> => {
    await db.deleteFrom('unfinished_uploads').where('id', '=', id).execute()
  }

  async function note({ configId, key }: Place): Promise<UploadNote> {
    const id = newId()
    const row = { id, storage_config_id: configId, storage_key: key, expires_at_ms: clock.nowMs() + LEASE_MS }
    await db.insertInto('unfinished_uploads').values(row).execute()
    live.set(id, { configId, key })
    return {
      async end({ isLeft }) {
        live.delete(id)
        if (!isLeft) await quietly('a finished upload could not be forgotten', forget(id))
      },
    }
  }

  return {
    noting: (configId) => (key) => note({ configId, key }),
    async whileBegun(place, work) {
      if (place.driver.kind === 'disk') return work()
      const begun = await note(place)
      let isLeft = true
      try {
        const done = await work()
        isLeft = false
        return done
      } finally {
        await begun.end({ isLeft })
      }
    },
    async findDead({ afterId, limit }) {
      const rows = await db
        .selectFrom('unfinished_uploads')
        .select(['id', 'storage_config_id', 'storage_key'])
        .where('expires_at_ms', '<=', clock.nowMs())
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id, storage_config_id: configId, storage_key: key }) => ({ id, configId, key }))
    },
    async isUnderWay({ configId, key }) {
      const isHere = [...live.values()].some((place) => place.configId === configId && place.key === key)
      if (isHere) return true
      const row = await db
        .selectFrom('unfinished_uploads')
        .select('id')
        .where('storage_config_id', '=', configId)
        .where('storage_key', '=', key)
        .where('expires_at_ms', '>', clock.nowMs())
        .executeTakeFirst()
      return row !== undefined
    },
    forget,
    async expireAll() {
      await db.updateTable('unfinished_uploads').set({ expires_at_ms: 0 }).execute()
    },
    close: () => clearInterval(beat),
  }
}
