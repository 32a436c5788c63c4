import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, SqliteStatement } from 'kysely'
import type { Db } from '../schema.ts'
import type { BusyWait } from './busy-wait.ts'

interface Waiting {
  readonly statement: CompiledQuery
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

const BEGIN = 'begin immediate'

/**
 * Runs the statements from one turn of the event loop in one transaction, because a commit takes several times as long
 * as most statements. Statements that arrive while the transaction waits for the connection join it. Results are
 * returned only after the commit, and each statement fails independently.
 */
export class WriteBatcher {
  readonly #database: DatabaseSync
  readonly #prepare: (sql: string) => SqliteStatement
  readonly #patience: BusyWait
  #waiting: Waiting[] = []

  constructor(database: DatabaseSync, prepare: (sql: string) => SqliteStatement, patience: BusyWait) {
    this.#database = database
    this.#prepare = prepare
    this.#patience = patience
  }

  /** @param db must not be a transaction */
  run(db: Db, statement: CompiledQuery): Promise<unknown[]> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#runWaiting(db))
    return new Promise((resolve, reject) => this.#waiting.push({ statement, resolve, reject }))
  }

  #take(): readonly Waiting[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  async #runWaiting(db: Db): Promise<void> {
    let group: readonly Waiting[] = []
    try {
      await db.connection().execute(async () => {
        group = this.#take()
        await this.#runGroup(group)
      })
    } catch (error) {
      // Rejects all waiting statements. The database can close before or after the connection becomes free.
      for (const { reject } of [...group, ...this.#take()]) reject(error)
    }
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const answers = group.length > 1 ? await this.#tryTransaction(group) : null
    if (answers) for (const [index, { resolve }] of group.entries()) resolve(answers[index] ?? [])
    else for (const one of group) await this.#runAlone(one)
  }

  /**
   * @returns `null` if the transaction failed and was rolled back; each statement then runs alone and reports its own
   * error
   */
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
      const answers = group.map(({ statement }) => this.#rowsOf(statement.sql, statement.parameters))
      this.#rowsOf('commit', [])
      return answers
    } finally {
      // Rolls back only an open transaction, because some failures have already rolled it back.
      if (this.#database.isTransaction) this.#rowsOf('rollback', [])
    }
  }

  async #runAlone({ statement: { sql, parameters }, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await this.#patience.run(() => this.#rowsOf(sql, parameters), sql))
    } catch (error) {
      reject(error)
    }
  }

  #rowsOf(sql: string, parameters: readonly unknown[]): unknown[] {
    const statement = this.#prepare(sql)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }
}
