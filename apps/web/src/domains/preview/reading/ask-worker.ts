import { PreviewError } from '../preview-error.ts'

/** A reply sent by {@link answerRequests}. */
export type Answer<Result> = { readonly result: Result } | { readonly error: string }

interface AskOptions {
  readonly transfer?: readonly Transferable[]
  readonly signal: AbortSignal
}

/**
 * Sends one request to a worker, waits for the reply and terminates the worker. Errors of the worker are reported as
 * faults of the file.
 */
export function askWorker<Result>(worker: Worker, message: unknown, options: AskOptions): Promise<Result> {
  const { transfer = [], signal } = options
  return new Promise<Result>((resolve, reject) => {
    const end = () => {
      worker.terminate()
      signal.removeEventListener('abort', onAbort)
    }
    const onAbort = () => {
      end()
      reject(new DOMException('Left.', 'AbortError'))
    }
    signal.addEventListener('abort', onAbort)
    worker.addEventListener('message', ({ data }: MessageEvent<Answer<Result>>) => {
      end()
      if ('result' in data) resolve(data.result)
      else reject(new PreviewError('damaged', data.error))
    })
    worker.addEventListener('error', (event) => {
      end()
      reject(new PreviewError('damaged', event.message))
    })
    worker.postMessage(message, [...transfer])
    if (signal.aborted) onAbort()
  })
}
