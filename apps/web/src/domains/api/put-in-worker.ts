import type { PutReply, PutRequest } from './put-request.ts'
import type { BytesToPut, PutMessage } from './put.worker.ts'

/** The methods of a worker that this module uses. */
export type PutWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

const startWorker = (): PutWorker =>
  new Worker(new URL('./put.worker.ts', import.meta.url), { type: 'module', name: 'put' })

interface Sending {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
  readonly start?: () => PutWorker
}

/**
 * Sends bytes in a new worker. Transfers the bytes to the worker, so the caller can no longer use them. A page would
 * retain the bytes of its requests until a garbage collection, possibly hundreds of megabytes. Terminating a worker
 * frees its bytes at once.
 */
export function putInWorker(
  request: PutRequest,
  { bytes, signal, onProgress, start = startWorker }: Sending,
): Promise<PutReply> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'cancelled' })
      return
    }
    const worker = start()
    const end = (reply: PutReply) => {
      worker.terminate()
      signal.removeEventListener('abort', cancel)
      resolve(reply)
    }
    const cancel = () => end({ kind: 'cancelled' })
    worker.addEventListener('message', ({ data }: MessageEvent<PutMessage>) => {
      if ('reply' in data) end(data.reply)
      else onProgress(data.sentBytes)
    })
    // The script of the worker did not load.
    worker.addEventListener('error', () => end({ kind: 'network' }))
    signal.addEventListener('abort', cancel)
    const message: BytesToPut = { request, bytes }
    worker.postMessage(message, [bytes.buffer])
  })
}
