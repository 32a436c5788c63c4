import type { Clock } from '../clock.ts'

interface Timer {
  readonly atMs: number
  readonly run: () => void
}

/** A clock that advances only when a test calls `advance`. */
export class FakeClock implements Clock {
  #nowMs = 0
  #timers = new Set<Timer>()

  nowMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  get timerCount(): number {
    return this.#timers.size
  }

  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)
      const [next] = due
      if (!next) break
      this.#timers.delete(next)
      this.#nowMs = next.atMs
      next.run()
    }
    this.#nowMs = untilMs
  }
}

/** Number of microtask turns. The longest promise chain in the tests needs fewer turns. */
const TURNS = 60

/** Runs all pending promise callbacks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve()
}
