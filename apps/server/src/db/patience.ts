import { setTimeout as sleep } from 'node:timers/promises'

const SQLITE_BUSY = 5
const PAUSE_MS = 10
/** Of one program that holds the file: after that, whoever wants to write is told at once, until somebody could. */
const MOST_MS = 5000
/** Without a refusal for so long, the next one is another program's. */
const CALM_MS = 1000

/** Statements that cannot have been done while another program held the file. */
const WRITES = /^\s*(?:insert|update|delete|replace|create|alter|drop|begin immediate)\b/i

const isHeld = (error: unknown): boolean => (error as { errcode?: number } | null)?.errcode === SQLITE_BUSY

/**
 * Waits for a program beside this one that is writing to the same SQLite file. SQLite's own way to wait (`busy_timeout`) stops the
 * thread: nothing else would be answered meanwhile, and no signal heard.
 */
export class Patience {
  readonly #mostMs: number
  #heldSinceMs = -Infinity
  #heldAtMs = -Infinity

  constructor(mostMs = MOST_MS) {
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
      await sleep(PAUSE_MS)
    }
  }

  #mayWait(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#heldAtMs > CALM_MS) this.#heldSinceMs = nowMs
    this.#heldAtMs = nowMs
    return nowMs - this.#heldSinceMs < this.#mostMs
  }
}
