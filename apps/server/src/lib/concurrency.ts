/** Runs `work` over `items`, at most `limit` at once. Rejects with the first failure once the running ones have ended. */
export async function eachOf<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  let failure: { error: unknown } | undefined
  async function worker(): Promise<void> {
    for (let next = queue.next(); !next.done && !failure; next = queue.next()) {
      try {
        await work(next.value)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failure) throw failure.error
}

/** Runs that go on, by name: whoever asks for the same meanwhile gets what the first one comes to. */
export class SharedRuns<T> {
  readonly #running = new Map<string, Promise<T>>()

  async run(name: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name) ?? work()
    this.#running.set(name, running)
    try {
      return await running
    } finally {
      this.#running.delete(name)
    }
  }
}
