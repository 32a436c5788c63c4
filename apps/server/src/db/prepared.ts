import { type CompiledQuery, type DialectAdapter, SqliteAdapter } from 'kysely'
import type { Db } from '../schema.ts'
import type { Engine } from './database.ts'

/** Stands in a statement for a value that each run has its own of. */
export class Later<Args, Value> {
  readonly of: (args: Args) => Value
  constructor(of: (args: Args) => Value) {
    this.of = of
  }
}

export interface Blank<Args> {
  readonly engine: Engine
  /** A value of the run, to be used like the value itself. */
  readonly arg: <Value>(of: (args: Args) => Value) => Value
}

/**
 * A statement that is put into words once for each engine, and run with other values each time: building and compiling one
 * takes several times as long as SQLite runs it.
 * @param words must not look at the values that it asks for.
 */
export function prepared<Args, Row>(
  words: (db: Db, blank: Blank<Args>) => CompiledQuery<Row>,
): (db: Db, args: Args) => Promise<Row[]> {
  const known = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return async (db, args) => {
    const { adapter } = db.getExecutor()
    let statement = known.get(adapter)
    if (!statement) {
      const engine = adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
      statement = words(db, { engine, arg: (of) => new Later(of) as never })
      known.set(adapter, statement)
    }
    const parameters = statement.parameters.map((value) =>
      value instanceof Later ? (value.of(args) as unknown) : value,
    )
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows
  }
}
