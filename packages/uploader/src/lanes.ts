import { asError } from './clock.ts'

/** A semaphore with a limited number of lanes. Callers wait in order for a free lane. */
export interface Lanes {
  readonly count: number
  /**
   * Waits for a free lane.
   * @returns a function that releases the lane.
   * @throws the signal's reason if the signal is aborted first.
   */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createLanes(count: number): Lanes {
  let free = count
  const waiting = new Set<() => void>()

  const release = () => {
    free += 1
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    }
  }
  const take = () => {
    free -= 1
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }

  return {
    count,
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(asError(signal.reason))
          return
        }
        if (free > 0) {
          resolve(take())
          return
        }
        const stop = () => {
          waiting.delete(go)
          reject(asError(signal.reason))
        }
        const go = () => {
          signal.removeEventListener('abort', stop)
          resolve(take())
        }
        waiting.add(go)
        signal.addEventListener('abort', stop, { once: true })
      }),
  }
}
