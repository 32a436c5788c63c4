/** A call for which several callers wait. */
export interface SharedCall<Value> {
  /** Waits for the result. The call is aborted when the last waiting caller aborts. */
  wait(signal: AbortSignal): Promise<Value>
  /** Whether the call was aborted. No further caller may wait for an aborted call. */
  readonly isStopped: boolean
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('Stopped.', { cause: reason })

interface Waiting<Value> {
  readonly leave: () => void
  readonly resolve: (value: Value) => void
  readonly reject: (error: Error) => void
}

async function settle<Value>(
  result: Promise<Value>,
  { leave, resolve, reject }: Waiting<Value>,
): Promise<void> {
  try {
    resolve(await result)
  } catch (error) {
    reject(asError(error))
  } finally {
    leave()
  }
}

export function shareCall<Value>(run: (signal: AbortSignal) => Promise<Value>): SharedCall<Value> {
  const stop = new AbortController()
  const result = run(stop.signal)
  let waiting = 0
  return {
    get isStopped() {
      return stop.signal.aborted
    },
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          if (waiting === 0) stop.abort(signal.reason)
          reject(asError(signal.reason))
          // Prevents an unhandled rejection if no caller waits for the result.
          result.catch(() => undefined)
          return
        }
        waiting += 1
        let isWaiting = true
        const leave = () => {
          if (isWaiting) waiting -= 1
          isWaiting = false
          signal.removeEventListener('abort', quit)
        }
        const quit = () => {
          leave()
          if (waiting === 0) stop.abort(signal.reason)
          reject(asError(signal.reason))
        }
        signal.addEventListener('abort', quit, { once: true })
        void settle(result, { leave, resolve, reject })
      }),
  }
}
