/**
 * Runs all tasks with limited concurrency. After the first error, no further task starts, and the signal of the
 * running tasks is aborted.
 * @throws the first error, after all running tasks have ended
 */
export async function eachAtOnce<T>(
  tasks: readonly T[],
  count: number,
  work: (task: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  let next = 0
  const lane = async () => {
    while (next < tasks.length && !stop.signal.aborted) {
      const task = tasks[next] as T
      next += 1
      try {
        await work(task, stop.signal)
      } catch (error) {
        stop.abort(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, tasks.length) }, lane))
  stop.signal.throwIfAborted()
}
