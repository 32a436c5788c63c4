const SQLITE_BUSY = 5
/** A transaction read the file before another program wrote to it: it has to restart. */
const SQLITE_BUSY_SNAPSHOT = 517
/** Extended codes of SQLite have the kind of failure in their lowest byte. */
const SQLITE_KIND = 0xff
/** Of one program that holds the file: after that, whoever wants to write is told at once, until somebody could. */
const MOST_MS = 5000
/** Without a refusal for so long, the next one is another program's. */
const CALM_MS = 1000

/** Statements that cannot have been done while another program held the file. */
const WRITES = /^\s*(?:insert|update|delete|replace|create|alter|drop|begin immediate)\b/i

function isHeld(error: unknown): boolean {
  const { errcode = 0 } = (error ?? {}) as { errcode?: number }
  return (errcode & SQLITE_KIND) === SQLITE_BUSY && errcode !== SQLITE_BUSY_SNAPSHOT
}

/**
 * Waits for a program beside this one that is writing to the same SQLite file. SQLite's own way to wait (`busy_timeout`) stops the
 * thread: nothing else would be answered meanwhile, and no signal heard.
 */
export class BusyWait {
  readonly #pause: () => Promise<void>
  readonly #mostMs: number
  #heldSinceMs = -Infinity
  #heldAtMs = -Infinity

  /** @param pause goes by between two tries. */
  constructor(pause: () => Promise<void>, mostMs = MOST_MS) {
    this.#pause = pause
    this.#mostMs = mostMs
  }

  /**
   * Runs `work` again while the file is held.
   * @param sql what it runs, where that is one statement. @throws what it fails with, in the end
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
