import type { CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from '../schema.ts'
import type { Engine } from './database.ts'
import { engineOf } from './engine.ts'
import { NodeSqliteAdapter } from './sqlite.ts'

/** A placeholder in a statement for a value that differs in each run. */
export class Later<Args, Value> {
  readonly of: (args: Args) => Value
  constructor(of: (args: Args) => Value) {
    this.of = of
  }
}

export interface Blank<Args> {
  readonly engine: Engine
  /** Returns a placeholder that can be used like the value itself. */
  readonly arg: <Value>(of: (args: Args) => Value) => Value
}

type Compile<Args, Row> = (db: Db, blank: Blank<Args>) => CompiledQuery<Row>

/** Compiles a statement once per dialect. */
function compileOnce<Args, Row>(compile: Compile<Args, Row>): (db: Db, args: Args) => CompiledQuery<Row> {
  const known = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return (db, args) => {
    const { adapter } = db.getExecutor()
    let statement = known.get(adapter)
    if (!statement) {
      statement = compile(db, { engine: engineOf(db), arg: (of) => new Later(of) as never })
      known.set(adapter, statement)
    }
    const parameters = statement.parameters.map((value) =>
      value instanceof Later ? (value.of(args) as unknown) : value,
    )
    return { ...statement, parameters }
  }
}

/**
 * Creates a statement that is compiled once per dialect and run with different values. Building and compiling a
 * statement takes several times as long as running it on SQLite.
 * @param compile builds the statement; must not read the values of its placeholders
 */
export function prepared<Args, Row>(compile: Compile<Args, Row>): (db: Db, args: Args) => Promise<Row[]> {
  const statementFor = compileOnce(compile)
  return async (db, args) => (await db.executeQuery(statementFor(db, args))).rows
}

/**
 * Creates a prepared statement for very frequent single writes. On SQLite, statements from the same turn of the event
 * loop share a transaction.
 */
export function batched<Args, Row>(compile: Compile<Args, Row>): (db: Db, args: Args) => Promise<Row[]> {
  const statementFor = compileOnce(compile)
  return async (db, args) => {
    const statement = statementFor(db, args)
    const { adapter } = db.getExecutor()
    if (db.isTransaction || !(adapter instanceof NodeSqliteAdapter))
      return (await db.executeQuery(statement)).rows
    const beganMs = performance.now()
    const rows = (await adapter.writes.run(db, statement)) as Row[]
    adapter.onStatement?.({ sql: statement.sql, durationMs: performance.now() - beganMs })
    return rows
  }
}

const REMEMBERED_MAX = 500

/** Cached rows of one statement, keyed by its values. */
class Memory<Row> {
  readonly #rows = new Map<string, readonly Row[]>()
  #version: number | null = null

  /** @param version current version of the tables that the rows come from. */
  find(values: string, version: number | null): readonly Row[] | undefined {
    if (version !== this.#version) this.#rows.clear()
    this.#version = version
    return this.#rows.get(values)
  }

  store(values: string, rows: readonly Row[]): void {
    const [oldest] = this.#rows.size >= REMEMBERED_MAX ? this.#rows.keys() : []
    if (oldest !== undefined) this.#rows.delete(oldest)
    this.#rows.set(values, rows)
  }
}

/**
 * Creates a prepared statement for rows that are read far more often than they change. On SQLite, rows are cached
 * until one of their tables changes, because only a single process uses the database. On PostgreSQL, every call runs
 * the query, because replicas share the database.
 * @returns rows shared with other callers: do not change them
 */
export function cached<Args, Row>(
  compile: Compile<Args, Row>,
): (db: Db, args: Args) => Promise<ReadonlyArray<Readonly<Row>>> {
  const statementFor = compileOnce(compile)
  const memories = new WeakMap<DialectAdapter, Memory<Row>>()
  return async (db, args) => {
    const statement = statementFor(db, args)
    const { adapter } = db.getExecutor()
    if (!(adapter instanceof NodeSqliteAdapter)) return (await db.executeQuery(statement)).rows
    const memory = memories.get(adapter) ?? new Memory()
    memories.set(adapter, memory)
    const values = JSON.stringify(statement.parameters)
    const version = adapter.tables.versionFor(statement.sql)
    const known = memory.find(values, version)
    if (known) return known
    const { rows } = await db.executeQuery(statement)
    // Does not cache the rows if one of the tables was written while the query waited, because the rows may be older
    // than the write.
    if (version !== null && version === adapter.tables.versionFor(statement.sql)) memory.store(values, rows)
    return rows
  }
}

/**
 * Creates a statement for rows that usually do not exist. On SQLite the absence of the rows is cached, so that `find`
 * does not run.
 * @param compile builds a statement that returns rows whenever `find` can find any
 */
export function cachedAbsence<Args, Row>(
  compile: Compile<Args, unknown>,
  find: (db: Db, args: Args) => Promise<readonly Row[]>,
): (db: Db, args: Args) => Promise<readonly Row[]> {
  const findAny = cached(compile)
  return async (db, args) => {
    const mayAsk = db.getExecutor().adapter instanceof NodeSqliteAdapter
    if (mayAsk && (await findAny(db, args)).length === 0) return []
    return find(db, args)
  }
}
