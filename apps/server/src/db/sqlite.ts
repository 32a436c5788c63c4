import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Dialect, SqliteAdapter, SqliteDialect, type SqliteStatement } from 'kysely'

const CACHED_STATEMENTS = 300
const BUSY_TIMEOUT_MS = 5000
/** At most; taken as it is needed. SQLite's own 2 MB make a search among a million names read the file over and over. */
const CACHE_KIB = 64 * 1024

/** SQLite rolls schema changes back like any other; with this a migration that is cut off leaves nothing half done. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }
}

/** Presents a statement of `node:sqlite` the way Kysely's SQLite driver expects one. */
function adapt(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}

/**
 * SQLite through Node's own module: write-ahead log, foreign keys on, prepared statements kept.
 * `synchronous=NORMAL` loses nothing when the process dies; a power cut may lose the last transactions, never the file.
 * @param file path of the database; its folder is made when missing.
 */
export function createSqliteDialect(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY',
  )
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
  const cache = new Map<string, SqliteStatement>()
  return new NodeSqliteDialect({
    database: {
      close: () => {
        cache.clear()
        database.close()
      },
      prepare: (sql) => {
        const known = cache.get(sql)
        if (known) return known
        const statement = adapt(database.prepare(sql))
        if (cache.size >= CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? '')
        cache.set(sql, statement)
        return statement
      },
    },
  })
}
