import { setTimeout as sleep } from 'node:timers/promises'

const SQLITE_BUSY = 5
const PAUSE_MS = 10
/** Of one program that holds the database: after that, whoever wants to write is told at once. */
const MOST_MS = 5000
/** Without being refused for so long, the next refusal is another program's. */
const CALM_MS = 1000

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

  /** Runs `work` again while the file is held. @throws what it fails with, in the end */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
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
