/** A fair mutex: waiters acquire it in the order of their requests. */
export class Mutex {
  readonly #waiting: Array<() => void> = []
  #isTaken = false

  /** @returns a promise to await, or `undefined` if the mutex was free */
  take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => void this.#waiting.push(resolve))
    this.#isTaken = true
    return undefined
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }
}
