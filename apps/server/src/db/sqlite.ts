import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { TableWatch } from './table-watch.ts'
import { BusyWait } from './busy-wait.ts'
import { ReservedSpace } from './reserved-space.ts'
import type { StatementEvent } from './statement-event.ts'
import { WriteBatcher } from './write-batcher.ts'
import { Mutex } from './mutex.ts'

const CACHED_STATEMENTS = 300
/** Lock timeout while opening the database. Once the server answers requests, {@link BusyWait} waits for locks. */
const OPENING_TIMEOUT_MS = 5000
/** Delay between two attempts while the file is locked. */
const HELD_PAUSE_MS = 10
/**
 * Maximum size of the page cache. With SQLite's default of 2 MB, a search among a million names rereads the file
 * repeatedly. A larger cache would cost its whole size in memory, because the first crawl of a bucket fills it.
 */
const CACHE_KIB = 24 * 1024
/** Only the owner may read and write the file. */
const FILE_MODE = 0o600

/** Kysely's adapter for SQLite. Prepared statements use its members to cache rows and to batch writes. */
export class NodeSqliteAdapter extends SqliteAdapter {
  readonly tables: TableWatch
  readonly writes: WriteBatcher
  readonly spare: ReservedSpace
  /** Called for statements of `batched`, because the query builder does not process them. */
  onStatement: ((event: StatementEvent) => void) | null = null

  constructor(tables: TableWatch, writes: WriteBatcher, spare: ReservedSpace) {
    super()
    this.spare = spare
    this.tables = tables
    this.writes = writes
  }

  /** Returns true, so that migrations run in a transaction, because SQLite rolls back schema changes too. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Returns true, because {@link NodeSqliteDriver} queues requests for the single connection. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const SQLITE_FULL = 13

const isFull = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_FULL

interface Opened {
  readonly config: SqliteDialectConfig
  readonly database: DatabaseSync
  readonly adapter: NodeSqliteAdapter
  readonly patience: BusyWait
  readonly spare: ReservedSpace
  readonly turns: Mutex
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #opened: Opened
  #connection: DatabaseConnection | null = null

  constructor(opened: Opened) {
    super(opened.config)
    this.#opened = opened
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const { patience, turns, spare, database } = this.#opened
    await turns.take()
    if (this.#connection) return this.#connection
    const connection = await super.acquireConnection()
    this.#connection = {
      async executeQuery<Row>(query: CompiledQuery) {
        const run = () => patience.run(() => connection.executeQuery<Row>(query), query.sql)
        // Does not retry a statement inside a transaction, because the caller retries the whole transaction.
        if (database.isTransaction) return run()
        try {
          return await run()
        } catch (error) {
          if (!isFull(error) || !spare.release()) throw error
          return run()
        }
      },
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    }
    return this.#connection
  }

  override async releaseConnection(): Promise<void> {
    this.#opened.turns.give()
  }

  /**
   * Takes the write lock at the start, because waiting for another process in the middle of a transaction would block
   * all other requests.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /**
   * Rolls back only an open transaction. Some failures, such as a full disk, have already rolled back, and a second
   * rollback's error would hide the cause.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#opened.database.isTransaction) await super.rollbackTransaction(connection)
  }

  /** Closes the database. Closing the last connection merges the WAL into the database file. */
  override async destroy(): Promise<void> {
    this.#opened.spare.end()
    await super.destroy()
  }
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #opened: Opened

  constructor(opened: Opened) {
    super(opened.config)
    this.#opened = opened
  }

  override createDriver(): Driver {
    return new NodeSqliteDriver(this.#opened)
  }

  override createAdapter(): SqliteAdapter {
    return this.#opened.adapter
  }
}

/** Adapts a statement of `node:sqlite` to Kysely's SQLite driver. @param note runs before the statement */
function adapt(statement: StatementSync, note: () => void): SqliteStatement {
  const values = (parameters: readonly unknown[]) => {
    note()
    return parameters as SQLInputValue[]
  }
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}

/**
 * Creates a dialect for SQLite with Node's own module, using WAL, foreign keys and cached prepared statements.
 * `synchronous=NORMAL` loses nothing if the process dies. A power cut can lose the last transactions, but does not
 * corrupt the file.
 * @param file path of the database; its folder is created if missing
 */
export function createSqliteDialect(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true })
  // Creates the file first, because SQLite gives its other files the mode of the database file.
  closeSync(openSync(file, 'a', FILE_MODE))
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}`)
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY',
  )
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const tables = new TableWatch(database)
  const cache = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    const known = cache.get(sql)
    if (known) return known
    const prepared = tables.learn(sql, () => database.prepare(sql))
    const statement = adapt(prepared, () => tables.note(sql))
    const [oldest] = cache.size >= CACHED_STATEMENTS ? cache.keys() : []
    if (oldest !== undefined) {
      cache.delete(oldest)
      tables.forget(oldest)
    }
    cache.set(sql, statement)
    return statement
  }
  const close = () => {
    cache.clear()
    database.close()
  }
  const turns = new Mutex()
  const patience = new BusyWait(async () => {
    // Outside a transaction, other statements can run during the pause.
    const isOpen = database.isTransaction
    if (!isOpen) turns.give()
    await sleep(HELD_PAUSE_MS)
    if (!isOpen) await turns.take()
  })
  const spare = new ReservedSpace(`${file}-spare`)
  const adapter = new NodeSqliteAdapter(tables, new WriteBatcher(database, prepare, patience), spare)
  database.exec('PRAGMA busy_timeout = 0')
  const config = { database: { prepare, close } }
  return new NodeSqliteDialect({ config, database, adapter, patience, spare, turns })
}
