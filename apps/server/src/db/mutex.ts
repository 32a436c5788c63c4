/** One after the other, in the order in which they asked. */
export class Mutex {
  readonly #waiting: Array<() => void> = []
  #isTaken = false

  /** @returns what is awaited until it is one's turn; nothing where that is now. */
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
