/**
 * Yields the results of `load` in order. Up to `count` calls run ahead of the reader. Aborts the running calls when the
 * reader stops or a call fails.
 */
export async function* ahead<Item, Result>({
  items,
  count,
  load,
  signal,
}: {
  readonly items: Iterable<Item>
  readonly count: number
  readonly load: (item: Item, signal: AbortSignal) => Promise<Result>
  readonly signal: AbortSignal
}): AsyncGenerator<Result> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const running: Promise<Result>[] = []
  const next = items[Symbol.iterator]()
  const fill = () => {
    while (running.length < count) {
      const item = next.next()
      if (item.done) return
      const call = load(item.value, either)
      // The call is awaited later or never, so its failure must not count as an unhandled rejection.
      call.catch(() => undefined)
      running.push(call)
    }
  }
  try {
    fill()
    for (let first = running.shift(); first; first = running.shift()) {
      const result = await first
      signal.throwIfAborted()
      fill()
      yield result
    }
  } finally {
    stop.abort()
  }
}
