const SQLITE_BUSY = 5
/**
 * Error code: another process has changed data that the transaction had already read, so the transaction must restart.
 */
const SQLITE_BUSY_SNAPSHOT = 517
/** The lowest byte of SQLite's extended error codes is the primary code. */
const SQLITE_KIND = 0xff
/**
 * Longest wait for a lock. After such a wait, further statements that find the file locked fail immediately, until a
 * write succeeds or no SQLITE_BUSY occurs for `CALM_MS`.
 */
const MOST_MS = 5000
/** If no SQLITE_BUSY occurs for this long, the next SQLITE_BUSY counts as a different lock. */
const CALM_MS = 1000

/** Matches statements that cannot succeed while another process holds the write lock. */
const WRITES = /^\s*(?:insert|update|delete|replace|create|alter|drop|begin immediate)\b/i

function isHeld(error: unknown): boolean {
  const { errcode = 0 } = (error ?? {}) as { errcode?: number }
  return (errcode & SQLITE_KIND) === SQLITE_BUSY && errcode !== SQLITE_BUSY_SNAPSHOT
}

/**
 * Waits while another process writes to the same SQLite file. SQLite's own `busy_timeout` would block the thread, so
 * that the server could neither answer requests nor handle signals.
 */
export class BusyWait {
  readonly #pause: () => Promise<void>
  readonly #mostMs: number
  #heldSinceMs = -Infinity
  #heldAtMs = -Infinity

  /** @param pause waits between two attempts. */
  constructor(pause: () => Promise<void>, mostMs = MOST_MS) {
    this.#pause = pause
    this.#mostMs = mostMs
  }

  /**
   * Runs `work`, and retries it while the file is locked, up to the longest wait.
   * @param sql the statement that `work` runs, or the first of several statements
   * @throws the last error of `work`
   */
  async run<T>(work: () => T | Promise<T>, sql = ''): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const done = await work()
        if (tries > 1 || WRITES.test(sql)) this.#heldAtMs = -Infinity
        return done
      } catch (error) {
        if (!isHeld(error) || !this.#mayWait()) throw error
      }
      await this.#pause()
    }
  }

  #mayWait(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#heldAtMs > CALM_MS) this.#heldSinceMs = nowMs
    this.#heldAtMs = nowMs
    return nowMs - this.#heldSinceMs < this.#mostMs
  }
}
