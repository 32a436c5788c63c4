import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite'

/** Tables that a statement reads and writes, including cascades and triggers. */
interface Touched {
  readonly reads: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
  /** Whether any table may have changed, for example after a rollback. */
  readonly isUpheaval: boolean
}

const NONE: ReadonlySet<string> = new Set()
const WRITES: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
])
const ENDS: ReadonlySet<number> = new Set([constants.SQLITE_TRANSACTION, constants.SQLITE_SAVEPOINT])
const SCHEMA = 'sqlite_master'
/** Interval of the check for changes by other programs. */
const LOOK_EVERY_MS = 1000

/**
 * Tracks a version for each table of a database that only one process uses. Cached rows are valid until the version of
 * their tables changes. SQLite reports which tables a statement touches.
 */
export class TableWatch {
  readonly #touched = new Map<string, Touched>()
  readonly #writes = new Map<string, number>()
  readonly #fileVersion: StatementSync
  #upheavals = 0
  #lookedAtMs = 0
  #seenVersion: unknown
  #reads = new Set<string>()
  #written = new Set<string>()
  #isUpheaval = false

  constructor(database: DatabaseSync) {
    this.#fileVersion = database.prepare('PRAGMA data_version')
    database.setAuthorizer((action, first) => {
      if (action === constants.SQLITE_READ && first !== null) this.#reads.add(first)
      else if (WRITES.has(action) && first !== null) this.#written.add(first)
      else if (ENDS.has(action)) this.#isUpheaval ||= first === 'ROLLBACK'
      return constants.SQLITE_OK
    })
  }

  /** Records which tables a statement touches, while `prepare` prepares it. */
  learn(statement: string, prepare: () => StatementSync): StatementSync {
    this.#reads = new Set()
    this.#written = new Set()
    this.#isUpheaval = false
    const prepared = prepare()
    const isUpheaval = this.#isUpheaval || this.#written.has(SCHEMA)
    this.#touched.set(statement, { reads: this.#reads, writes: this.#written, isUpheaval })
    return prepared
  }

  forget(statement: string): void {
    this.#touched.delete(statement)
  }

  /** Records the writes of a statement. The caller must call this method before the statement runs. */
  note(statement: string): void {
    const { writes, isUpheaval } = this.#touched.get(statement) ?? { writes: NONE, isUpheaval: true }
    if (isUpheaval) this.#upheavals += 1
    for (const table of writes) this.#writes.set(table, (this.#writes.get(table) ?? 0) + 1)
  }

  /**
   * Returns a number that increases when a table that the statement reads changes; `null` until its tables are known.
   */
  versionFor(statement: string): number | null {
    const touched = this.#touched.get(statement)
    if (!touched) return null
    this.#lookAtFile()
    let version = this.#upheavals
    for (const table of touched.reads) version += this.#writes.get(table) ?? 0
    return version
  }

  #lookAtFile(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lookedAtMs < LOOK_EVERY_MS) return
    this.#lookedAtMs = nowMs
    const version = this.#fileVersion.get()?.data_version
    if (version !== this.#seenVersion) this.#upheavals += 1
    this.#seenVersion = version
  }
}
