import { requestErrors } from '@dropleaf/contract'
import { AppError } from './app-error.ts'

const RETRY_SECONDS = 5

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: AppError) => void
}

/**
 * Runs works, at most `atOnce` of them at a time. Those of different askers take turns, so that one who asks for a thousand
 * waits behind them alone.
 * @param maxWaiting works that may wait in all. Beyond it whoever has most of them loses the last one.
 * @param maxOfOne works of one asker that may wait.
 * @throws {AppError} `request.rate_limited` to who asks for too much, `request.unavailable` where too many wait
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
  // In the order in which they are next.
  const queues = new Map<string, Waiting[]>()

  const tooMany = () => new AppError(requestErrors.rate_limited, { retryAfterSeconds: RETRY_SECONDS })

  function longest(): [string, Waiting[]] | undefined {
    let found: [string, Waiting[]] | undefined
    for (const entry of queues) if (entry[1].length > (found?.[1].length ?? 0)) found = entry
    return found
  }

  /** @throws {AppError} if neither the caller nor anybody else has more than a fair share */
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

  /** Hands the lane on to the next asker, who is the last one then. */
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
