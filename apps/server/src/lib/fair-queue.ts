import { requestErrors } from '@dropleaf/contract'
import { AppError } from './app-error.ts'

const RETRY_SECONDS = 5

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: AppError) => void
}

/**
 * Creates a function that runs at most `atOnce` jobs at a time, round robin by caller. A caller with a thousand jobs
 * thus delays only itself. The function rejects with an `AppError`: `request.rate_limited` for a caller with too many
 * jobs, `request.unavailable` if too many jobs wait.
 * @param maxWaiting total of waiting jobs; beyond this number, the caller with the most jobs loses its last job
 * @param maxOfOne limit of waiting jobs per caller
 */
export function createFairLanes({
  atOnce,
  maxWaiting,
  maxOfOne,
}: {
  atOnce: number
  maxWaiting: number
  maxOfOne: number
}) {
  let running = 0
  let waiting = 0
  // The first queue of the map runs next.
  const queues = new Map<string, Waiting[]>()

  const tooMany = () => new AppError(requestErrors.rate_limited, { retryAfterSeconds: RETRY_SECONDS })

  function longest(): [string, Waiting[]] | undefined {
    let found: [string, Waiting[]] | undefined
    for (const entry of queues) if (entry[1].length > (found?.[1].length ?? 0)) found = entry
    return found
  }

  /**
   * Drops a waiting job if too many jobs wait.
   * @throws {AppError} if the caller has too many jobs, or if no other caller has at least two jobs more
   */
  function makeRoom(asker: string): void {
    const own = queues.get(asker)?.length ?? 0
    if (own >= maxOfOne) throw tooMany()
    if (waiting < maxWaiting) return
    const [name, queue] = longest() ?? []
    if (name === undefined || queue === undefined || queue.length <= own + 1)
      throw new AppError(requestErrors.unavailable, { retryAfterSeconds: RETRY_SECONDS })
    queue.pop()?.refuse(tooMany())
    waiting -= 1
  }

  function wait(asker: string): Promise<void> {
    makeRoom(asker)
    return new Promise((resolve, reject) => {
      const queue = queues.get(asker) ?? []
      queue.push({ begin: resolve, refuse: reject })
      queues.set(asker, queue)
      waiting += 1
    })
  }

  /** Runs the next caller's job and moves that caller to the end. */
  function handOn(): void {
    const [first] = queues
    if (first === undefined) {
      running -= 1
      return
    }
    const [asker, queue] = first
    const next = queue.shift()
    queues.delete(asker)
    if (queue.length > 0) queues.set(asker, queue)
    waiting -= 1
    next?.begin()
  }

  return async function run<T>(asker: string, work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await wait(asker)
    else running += 1
    try {
      return await work()
    } finally {
      handOn()
    }
  }
}
