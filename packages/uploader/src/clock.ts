export interface Clock {
  nowMs(): number
  /** Calls `run` once after a delay. @returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** @throws the signal's reason if it is aborted first. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(asError(signal.reason))
      return
    }
    const stop = () => {
      cancel()
      reject(asError(signal.reason))
    }
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}

export const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('Stopped.', { cause: reason })
