import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql, type Transaction } from 'kysely'
import { firstOf } from '../lib/app-error.ts'
import { createPostgresDialect } from './postgres.ts'
import { createSqliteDialect, NodeSqliteAdapter } from './sqlite.ts'
import type { StatementEvent } from './statement-event.ts'

export type Engine = 'sqlite' | 'postgres'

export interface DatabaseSettings {
  /** PostgreSQL connection string; `null` means SQLite. */
  readonly url: string | null
  readonly sqliteFile: string
  readonly poolSize: number
  readonly onStatement?: ((event: StatementEvent) => void) | undefined
}

/** An open database on SQLite or PostgreSQL, with one interface for both. */
export interface OpenDatabase<Schema> {
  readonly engine: Engine
  /** Whether other processes may use the database at the same time. */
  readonly isShared: boolean
  /**
   * Maximum number of rows to change in one transaction. The number is low for SQLite, where a transaction blocks the
   * process.
   */
  readonly batchRows: number
  readonly db: Kysely<Schema>
  /**
   * Runs `work` in a transaction. Retries a few times if the engine requires a retry (busy, deadlock, serialisation
   * failure), if the connection breaks before the commit, or if SQLite gets reserved space on a full disk. `work` must
   * only run queries, because it can run more than once, and SQLite has a single connection.
   */
  transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T>
  /**
   * Runs `work`. Returns `undefined` immediately if work with the same `name` is running already, in this process or in
   * another process.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
  close(): Promise<void>
}

const BATCH_ROWS = { sqlite: 250, postgres: 1000 } as const
const MAX_TRIES = 5
const FIRST_DELAY_MS = 20
const RETRYABLE = new Set(['40001', '40P01'])
const SQLITE_BUSY = 5
/** The lowest byte of SQLite's extended error codes is the primary code. */
const SQLITE_KIND = 0xff

function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  return (
    (code !== undefined && RETRYABLE.has(code)) ||
    (errcode !== undefined && (errcode & SQLITE_KIND) === SQLITE_BUSY)
  )
}

const UNIQUE_CODES = new Set(['23505'])
const SQLITE_CONSTRAINT_UNIQUE = 2067
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555

export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  return (
    (code !== undefined && UNIQUE_CODES.has(code)) ||
    errcode === SQLITE_CONSTRAINT_UNIQUE ||
    errcode === SQLITE_CONSTRAINT_PRIMARYKEY
  )
}

const SQLITE_CONSTRAINT_FOREIGNKEY = 787
const POSTGRES_FOREIGN_KEY_VIOLATION = '23503'

/** Whether an error means that a row to delete is still referenced, or that a referenced row does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  return code === POSTGRES_FOREIGN_KEY_VIOLATION || errcode === SQLITE_CONSTRAINT_FOREIGNKEY
}

/** Matches the driver's messages for broken connections, because these errors have no code. */
const CONNECTION_BROKEN =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed) and is not queryable)/
const POSTGRES_ENDS_CONNECTION = '57P01'

const hasConnectionBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (CONNECTION_BROKEN.test(error.message) || (error as { code?: string }).code === POSTGRES_ENDS_CONNECTION)

const SQLITE_LOCKED = 6
const SQLITE_FULL = 13
const POSTGRES_DISK_FULL = '53100'
/** Matches codes for: connection lost, server starting or stopping, too many connections, server unreachable. */
const POSTGRES_AWAY =
  /^(?:08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** Matches the connection pool's timeout message, because this error has no code. */
const POOL_AWAY = /^timeout exceeded when trying to connect/

/**
 * Classifies an error that is not the fault of a statement: the disk is full, or the database is busy or unreachable
 * (`away`). Returns `null` for any other error.
 */
export function databaseTrouble(thrown: unknown): 'full' | 'away' | null {
  const error = firstOf(thrown)
  if (!(error instanceof Error)) return null
  const { code = '', errcode, message } = error as Error & { code?: string; errcode?: number }
  const kind = errcode === undefined ? null : errcode & SQLITE_KIND
  if (kind === SQLITE_FULL || code === POSTGRES_DISK_FULL) return 'full'
  if (kind === SQLITE_BUSY || kind === SQLITE_LOCKED) return 'away'
  const isAway = POSTGRES_AWAY.test(code) || POOL_AWAY.test(message) || hasConnectionBroken(error)
  return isAway ? 'away' : null
}

/** Waits for optional work. Ignores its failure if the database is full, busy or unreachable. */
export async function unlessInTrouble(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (databaseTrouble(error) === null) throw error
  }
}

/**
 * Returns text that names the column or constraint of a unique violation: the message of SQLite, which contains
 * `pastes.slug`, for example, or the constraint of PostgreSQL, such as `pastes_slug_key`.
 */
export function violatedConstraint(error: unknown): string {
  const { constraint, message } = error as { constraint?: string; message?: string }
  return constraint ?? message ?? ''
}

async function exclusivelyOnPostgres<Schema, T>(
  db: Kysely<Schema>,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  // The key includes the schema, because advisory locks apply to the whole database, and another server can use
  // another schema of the same database.
  const key = sql`hashtextextended(current_schema() || ':' || ${name}::text, 0)`
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${key}) as locked`.execute(
      connection,
    )
    if (!rows[0]?.locked) return undefined
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}

export async function openDatabase<Schema>(settings: DatabaseSettings): Promise<OpenDatabase<Schema>> {
  const engine: Engine = settings.url === null ? 'sqlite' : 'postgres'
  const dialect =
    settings.url === null
      ? createSqliteDialect(settings.sqliteFile)
      : await createPostgresDialect(settings.url, settings.poolSize)
  const { onStatement } = settings
  const db = new Kysely<Schema>({
    dialect,
    ...(onStatement && {
      log: (event) =>
        onStatement({
          sql: event.query.sql,
          durationMs: event.queryDurationMillis,
          ...(event.level === 'error' && { error: event.error }),
        }),
    }),
  })
  const { adapter } = db.getExecutor()
  if (adapter instanceof NodeSqliteAdapter) adapter.onStatement = onStatement ?? null
  const held = new Set<string>()

  async function exclusivelyInProcess<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (held.has(name)) return undefined
    held.add(name)
    try {
      return await work()
    } finally {
      held.delete(name)
    }
  }

  return {
    engine,
    isShared: engine === 'postgres',
    batchRows: BATCH_ROWS[engine],
    db,
    async transaction(work) {
      for (let tries = 1; ; tries += 1) {
        let isCommitted = false
        try {
          return await db.transaction().execute(async (trx) => {
            const result = await work(trx)
            // The commit follows the work. If the connection breaks during the commit, its outcome is unknown, so a
            // retry is not safe.
            isCommitted = true
            return result
          })
        } catch (error) {
          const isAgain =
            isRetryable(error) ||
            (databaseTrouble(error) === 'full' &&
              adapter instanceof NodeSqliteAdapter &&
              adapter.spare.release()) ||
            (!isCommitted && hasConnectionBroken(error))
          if (tries >= MAX_TRIES || !isAgain) throw error
          await sleep(FIRST_DELAY_MS * 2 ** tries * (0.5 + Math.random()))
        }
      }
    },
    exclusively: (name, work) =>
      engine === 'sqlite' ? exclusivelyInProcess(name, work) : exclusivelyOnPostgres(db, name, work),
    close: () => db.destroy(),
  }
}
