import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** Of the log that are not in the file yet, before they are brought there: 8 MB, a twentieth of a second of a slow disk. */
const PAGES = 2000
/** Statements that write, between two looks at the log: a look takes some microseconds, and a long text has many pages in it. */
const LOOK_EVERY_WRITES = 64
/** Without an order for so long, the thread ends: it takes 16 MB, and 40 ms to begin. */
const IDLE_MS = 2000

/**
 * Brings SQLite's log into the file from a thread of its own, a checkpoint as SQLite calls it: three quarters of what it takes to
 * commit is the medium's time in those, and nobody would be answered meanwhile. Reads and writes go on beside it.
 *
 * SQLite begins its log anew when all of it is in the file and somebody writes then. While others write all the time that does not
 * come about, so whoever writes keeps a limit of its own (`wal_autocheckpoint`), and finds little left to bring.
 */
export class Checkpoints {
  readonly #file: string
  readonly #look: StatementSync
  #writes = 0
  #isLooking = false
  #isEnded = false
  #thread: Worker | null = null
  #isBusy = false
  #idle: NodeJS.Timeout | undefined

  /** @param database is open, and writes to `file`. */
  constructor(file: string, database: DatabaseSync) {
    this.#file = file
    this.#look = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  }

  /** To be told of every statement that writes. */
  noteWrite(): void {
    this.#writes += 1
    if (this.#writes < LOOK_EVERY_WRITES || this.#isBusy || this.#isLooking) return
    this.#isLooking = true
    setImmediate(() => this.#lookAtLog())
  }

  /** Nobody has the file open here after that but the one who writes. */
  async end(): Promise<void> {
    this.#isEnded = true
    const thread = this.#thread
    this.#drop()
    await thread?.terminate()
  }

  #lookAtLog(): void {
    this.#isLooking = false
    if (this.#isEnded) return
    try {
      const { log, checkpointed } = this.#look.get() ?? {}
      this.#writes = 0
      if (Number(log) - Number(checkpointed) >= PAGES) this.#order()
    } catch {
      // Within a transaction, or while rows are being read, the log is not told; the next write looks again.
    }
  }

  #order(): void {
    this.#isBusy = true
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    this.#thread.postMessage(null, [])
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint.worker.ts', import.meta.url), { workerData: this.#file })
    thread.unref()
    thread.on('message', () => {
      if (this.#thread !== thread) return
      this.#isBusy = false
      this.#idle = setTimeout(() => {
        this.#drop()
        void thread.terminate()
      }, IDLE_MS).unref()
    })
    // Whoever writes brings the log in then, at its own limit; the next thread may fare better.
    thread.on('error', () => {
      if (this.#thread === thread) this.#drop()
    })
    return thread
  }

  #drop(): void {
    clearTimeout(this.#idle)
    this.#thread = null
    this.#isBusy = false
  }
}
