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

/** An object in a storage that might have orphaned parts. */
export interface UnfinishedUpload extends Place {
  readonly id: string
}

interface UnfinishedUploadsOnly {
  unfinished_uploads: UnfinishedUploadsTable
}

const HEARTBEAT_MS = 60_000
/**
 * A running upload fails if it wrongly counts as dead. So the lease is far longer than a database outage, and than
 * clock differences between replicas.
 */
const LEASE_MS = 15 * HEARTBEAT_MS

/**
 * Records keys of multipart uploads in advance. If a crash interrupts a write, its parts stay in the bucket and cost
 * money. The id of the upload is known only after it has started, so the key is recorded beforehand.
 */
export class UnfinishedUploads {
  readonly #db: Kysely<UnfinishedUploadsOnly>
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  /** Uploads of this process. They count as running even if the database does not list them. */
  readonly #live = new Map<string, Place>()
  readonly #beat: NodeJS.Timeout

  constructor({
    db,
    clock,
    log,
  }: {
    db: Kysely<UnfinishedUploadsOnly & object>
    clock: Clock
    log: FastifyBaseLogger
  }) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#beat = setInterval(() => {
      if (this.#live.size > 0)
        void this.#quietly('uploads under way could not be noted as such', this.#prolong())
    }, HEARTBEAT_MS).unref()
  }

  /**
   * Returns a function that records writes to one storage. The function rejects if a write cannot be recorded, so that
   * the write fails.
   */
  noting(configId: string): NoteUpload {
    return (key) => this.#note({ configId, key })
  }

  /**
   * Records an upload in a bucket while `work` starts it and stores its id elsewhere. A disk needs no record, because
   * it stores the key beside the parts.
   */
  async whileBegun<T>(place: Place & { driver: StorageDriver }, work: () => Promise<T>): Promise<T> {
    if (place.driver.kind === 'disk') return work()
    const begun = await this.#note(place)
    let isLeft = true
    try {
      const done = await work()
      isLeft = false
      return done
    } finally {
      await begun.end({ isLeft })
    }
  }

  /** Finds uploads after `afterId` whose process died or did not clean up, ordered by id. */
  async findDead({ afterId, limit }: { afterId: string; limit: number }): Promise<UnfinishedUpload[]> {
    const rows = await this.#db
      .selectFrom('unfinished_uploads')
      .select(['id', 'storage_config_id', 'storage_key'])
      .where('expires_at_ms', '<=', this.#clock.nowMs())
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, storage_config_id: configId, storage_key: key }) => ({ id, configId, key }))
  }

  /** Whether a live process is uploading the object. */
  async isUnderWay({ configId, key }: Place): Promise<boolean> {
    const isHere = [...this.#live.values()].some((place) => place.configId === configId && place.key === key)
    if (isHere) return true
    const row = await this.#db
      .selectFrom('unfinished_uploads')
      .select('id')
      .where('storage_config_id', '=', configId)
      .where('storage_key', '=', key)
      .where('expires_at_ms', '>', this.#clock.nowMs())
      .executeTakeFirst()
    return row !== undefined
  }

  async forget(id: string): Promise<void> {
    await this.#db.deleteFrom('unfinished_uploads').where('id', '=', id).execute()
  }

  /** Expires all records. Call at a start without other processes, when every record is stale. */
  async expireAll(): Promise<void> {
    await this.#db.updateTable('unfinished_uploads').set({ expires_at_ms: 0 }).execute()
  }

  close(): void {
    clearInterval(this.#beat)
  }

  async #note({ configId, key }: Place): Promise<UploadNote> {
    const id = newId()
    const expires_at_ms = this.#clock.nowMs() + LEASE_MS
    const row = { id, storage_config_id: configId, storage_key: key, expires_at_ms }
    await this.#db.insertInto('unfinished_uploads').values(row).execute()
    this.#live.set(id, { configId, key })
    return {
      end: async ({ isLeft }) => {
        this.#live.delete(id)
        if (!isLeft) await this.#quietly('a finished upload could not be forgotten', this.forget(id))
      },
    }
  }

  #prolong() {
    return this.#db
      .updateTable('unfinished_uploads')
      .set({ expires_at_ms: this.#clock.nowMs() + LEASE_MS })
      .where('id', 'in', [...this.#live.keys()])
      .execute()
  }

  /**
   * Logs a failure instead of throwing, because neither the write nor its caller may fail. The sweep cleans up later.
   */
  async #quietly(what: string, work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#log.warn({ err: error }, what)
    }
  }
}
