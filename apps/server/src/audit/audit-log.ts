import type { FastifyBaseLogger } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { type Blank, prepared } from '../db/prepared.ts'
import { rowsOf } from '../db/rows.ts'
import type { Clock } from '../lib/clock.ts'
import { randomText } from '../lib/ids.ts'
import type { AuditLogTable } from './audit.table.ts'

/** Audit entry without its id and time. The log adds both. */
export type AuditNote = Omit<AuditLogTable, 'id' | 'at_ms'>

const FLUSH_MS = 250
const BATCH_ROWS = 500
/** Maximum number of entries that wait for an unavailable database; further entries are dropped. */
const QUEUE_MAX = 20_000
const TARGET_MAX_LENGTH = 500
const REPEATS_MAX = 2000
const REPEAT_MS = 60_000
/** This interval is longer than `REPEAT_MS`, because the web app reads the API keys whenever it shows their names. */
const KEYS_REPEAT_MS = 3_600_000

const TIME_DIGITS = 9
const COUNT_DIGITS = 4
const COUNT_MAX = 36 ** COUNT_DIGITS

/** Returns the smallest id that an entry with a time of `ms` or later can have. */
export const firstIdAt = (ms: number): string => Math.max(0, ms).toString(36).padStart(TIME_DIGITS, '0')

const COLUMNS = {
  id: 'text',
  at_ms: 'bigint',
  action: 'text',
  actor_kind: 'text',
  actor_id: 'text',
  actor_name: 'text',
  target: 'text',
  address: 'text',
  status: 'integer',
  code: 'text',
} as const

const insert = prepared((db, { engine, arg }: Blank<readonly AuditLogTable[]>) =>
  db
    .insertInto('audit_log')
    .columns(Object.keys(COLUMNS) as Array<keyof AuditLogTable>)
    .expression(
      sql`select * from ${rowsOf(
        engine,
        arg((rows) => rows),
        COLUMNS,
      )} as given`,
    )
    .compile(),
)

/** Returns text that both databases can store and that fits on one line. */
const tidy = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .slice(0, TARGET_MAX_LENGTH)
        .toWellFormed()
        .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/**
 * Filters repeated failed WebDAV logins, reads of API keys, and refusals with 401 or 429. Equal entries are logged once
 * per interval. Every failed login with 401 is logged.
 */
function createRepeats() {
  const seen = new Map<string, number>()
  return (entry: AuditNote, nowMs: number): boolean => {
    const isRepeatable =
      entry.action === 'session.drive_login' ||
      entry.action === 'api_key.read' ||
      entry.status === 429 ||
      entry.status === 401
    if (!isRepeatable || (entry.action === 'session.login' && entry.status !== 429)) return false
    const key = JSON.stringify(entry)
    const lastMs = seen.get(key)
    const repeatMs = entry.action === 'api_key.read' ? KEYS_REPEAT_MS : REPEAT_MS
    if (lastMs !== undefined && nowMs - lastMs < repeatMs) return true
    seen.delete(key)
    const [oldest] = seen.size >= REPEATS_MAX ? seen.keys() : []
    if (oldest !== undefined) seen.delete(oldest)
    seen.set(key, nowMs)
    return false
  }
}

type LogOnly = Kysely<{ audit_log: AuditLogTable }>

/** Writes entries to the database in batches, shortly after they are added. `flush` writes them immediately. */
export class AuditLog {
  readonly #db: LogOnly
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #isRepeat = createRepeats()
  #queue: AuditLogTable[] = []
  #dropped = 0
  #count = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor({ db, clock, log }: { db: LogOnly; clock: Clock; log: FastifyBaseLogger }) {
    this.#db = db
    this.#clock = clock
    this.#log = log
  }

  note(entry: AuditNote): void {
    if (this.#isClosed || this.#isRepeat(entry, this.#clock.nowMs())) return
    if (this.#queue.length >= QUEUE_MAX) this.#dropped += 1
    else this.#push(entry)
    this.#schedule()
  }

  /**
   * Tries to write all earlier entries. Never fails: entries that could not be written stay in the queue for a later
   * attempt.
   */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Tries to write the pending entries once, and accepts no further entries. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  #push(entry: AuditNote): void {
    const nowMs = this.#clock.nowMs()
    this.#count = (this.#count + 1) % COUNT_MAX
    const count = this.#count.toString(36).padStart(COUNT_DIGITS, '0')
    const id = `${firstIdAt(nowMs)}${count}${randomText(6)}`
    const texts = { actor_name: tidy(entry.actor_name), target: tidy(entry.target) }
    this.#queue.push({ ...entry, id, at_ms: nowMs, ...texts })
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => void this.flush(), FLUSH_MS)
    this.#timer.unref()
  }

  async #write(): Promise<void> {
    this.#noteDropped()
    // Entries that arrive during a write wait for the next batch. Otherwise each entry would be a separate statement
    // under load.
    for (let due = this.#queue.length; due > 0;) {
      const rows = this.#queue.slice(0, Math.min(due, BATCH_ROWS))
      try {
        await insert(this.#db, rows)
      } catch (error) {
        this.#log.error({ err: error, waiting: this.#queue.length }, 'the audit log cannot be written')
        if (!this.#isClosed) this.#schedule()
        return
      }
      this.#queue = this.#queue.slice(rows.length)
      due -= rows.length
    }
  }

  #noteDropped(): void {
    if (this.#dropped === 0) return
    const target = String(this.#dropped)
    this.#dropped = 0
    this.#push({
      action: 'audit.overflow',
      actor_kind: 'visitor',
      actor_id: null,
      actor_name: null,
      target,
      address: '',
      status: 200,
      code: null,
    })
  }
}
