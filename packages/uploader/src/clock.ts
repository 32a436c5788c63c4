export interface Clock {
  nowMs(): number
  /**
   * Calls `run` once after a delay.
   * @returns a function that cancels the call.
   */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/**
 * Waits for a delay.
 * @throws the signal's reason if the signal is aborted first.
 */
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
