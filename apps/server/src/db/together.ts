import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, SqliteStatement } from 'kysely'
import type { Db } from '../schema.ts'
import type { Patience } from './patience.ts'

/** What is to be run after a statement, about the row that it has found. */
export type Follow = (row: unknown) => CompiledQuery

interface Waiting {
  readonly statement: CompiledQuery
  readonly follow: Follow | undefined
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Characters of the values that wait, after which nothing more is waited for. A text of 100 kB that lives until the end of the turn
 * lives long enough for V8 to move it to its old objects, and those cost a collection of the whole heap for every 300 such texts.
 */
const LONG_CHARACTERS = 500_000

const BEGIN = 'begin immediate'

const charactersOf = ({ parameters }: CompiledQuery): number =>
  parameters.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/**
 * Runs the statements that are asked for in one turn of the event loop in one transaction: to commit takes several times as long
 * as most statements do. Nobody learns of a result before it is committed, and each statement fails for itself.
 */
export class Together {
  readonly #database: DatabaseSync
  readonly #prepare: (sql: string) => SqliteStatement
  readonly #patience: Patience
  #waiting: Waiting[] = []
  #waitingCharacters = 0

  constructor(database: DatabaseSync, prepare: (sql: string) => SqliteStatement, patience: Patience) {
    this.#database = database
    this.#prepare = prepare
    this.#patience = patience
  }

  /**
   * @param db not a transaction.
   * @param follow runs only where the statement has found something; its rows come after the first that was found.
   */
  run(db: Db, statement: CompiledQuery, follow?: Follow): Promise<unknown[]> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#runWaiting(db))
    const done = Promise.withResolvers<unknown[]>()
    const { resolve, reject } = done
    this.#waiting.push({ statement, follow, resolve, reject })
    const before = this.#waitingCharacters
    this.#waitingCharacters += charactersOf(statement)
    if (before < LONG_CHARACTERS && this.#waitingCharacters >= LONG_CHARACTERS) void this.#runWaiting(db)
    return done.promise
  }

  #take(): readonly Waiting[] {
    const taken = this.#waiting
    this.#waiting = []
    this.#waitingCharacters = 0
    return taken
  }

  async #runWaiting(db: Db): Promise<void> {
    let group: readonly Waiting[] = []
    try {
      // Whoever has the one connection goes first; whatever is asked for meanwhile comes along.
      await db.connection().execute(async () => {
        group = this.#take()
        await this.#runGroup(group)
      })
    } catch (error) {
      // The database may be closed before the connection is there, or after that.
      for (const { reject } of [...group, ...this.#take()]) reject(error)
    }
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const answers = group.length > 1 ? await this.#tryTransaction(group) : null
    if (answers) for (const [index, { resolve }] of group.entries()) resolve(answers[index] ?? [])
    else for (const one of group) await this.#runAlone(one)
  }

  /** @returns `null` when it failed; then nothing has happened, and each says for itself what is wrong when it runs alone. */
  async #tryTransaction(group: readonly Waiting[]): Promise<unknown[][] | null> {
    try {
      return await this.#patience.run(() => this.#runTransaction(group), BEGIN)
    } catch {
      return null
    }
  }

  #runTransaction(group: readonly Waiting[]): unknown[][] {
    this.#rowsOf(BEGIN, [])
    try {
      const answers = group.map((one) => this.#rowsFor(one))
      this.#rowsOf('commit', [])
      return answers
    } finally {
      // It failed. Some failures have ended the transaction already.
      if (this.#database.isTransaction) this.#rowsOf('rollback', [])
    }
  }

  async #runAlone(one: Waiting): Promise<void> {
    try {
      one.resolve(await this.#patience.run(() => this.#rowsFor(one), one.statement.sql))
    } catch (error) {
      one.reject(error)
    }
  }

  #rowsFor({ statement, follow }: Waiting): unknown[] {
    const rows = this.#rowsOf(statement.sql, statement.parameters)
    if (!follow || rows.length === 0) return rows
    const next = follow(rows[0])
    return [rows[0], ...this.#rowsOf(next.sql, next.parameters)]
  }

  #rowsOf(sql: string, parameters: readonly unknown[]): unknown[] {
    const statement = this.#prepare(sql)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }
}
