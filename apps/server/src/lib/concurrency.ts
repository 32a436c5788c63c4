/**
 * Runs `work` over `items`, at most `limit` at once. After a failure, waits for the running items and rejects with the
 * first error.
 */
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

/** Shares running work by name. If work with the same name is already running, the caller gets its result. */
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

interface Turn<T> {
  readonly current: Promise<T>
  next: Promise<T> | null
}

const nothing = () => undefined

/**
 * Shares expensive reads by name. One read runs at a time, and all callers that arrive meanwhile share the next read.
 * Unlike with {@link SharedRuns}, no caller gets the result of a read that started before its call.
 */
export class SharedReads<T> {
  readonly #turns = new Map<string, Turn<T>>()

  read(name: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(name)
    if (!turn) return this.#begin(name, work)
    turn.next ??= turn.current.then(nothing, nothing).then(() => this.#begin(name, work))
    return turn.next
  }

  #begin(name: string, work: () => Promise<T>): Promise<T> {
    const turn: Turn<T> = { current: work(), next: null }
    this.#turns.set(name, turn)
    const end = () => {
      if (turn.next === null) this.#turns.delete(name)
    }
    turn.current.then(end, end)
    return turn.current
  }
}
