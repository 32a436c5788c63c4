import { put, type PutReply, type PutRequest } from './put-request.ts'

/** Sends the bytes of one request. The page terminates the worker to cancel the request and to free the bytes. */

export interface BytesToPut {
  readonly request: PutRequest
  readonly bytes: Uint8Array<ArrayBuffer>
}

export type PutMessage = { readonly sentBytes: number } | { readonly reply: PutReply }

const scope = globalThis as unknown as DedicatedWorkerGlobalScope
const tell = (message: PutMessage) => scope.postMessage(message, [])

scope.addEventListener('message', ({ data: { request, bytes } }: MessageEvent<BytesToPut>) => {
  const { signal } = new AbortController()
  const sending = put(request, new Blob([bytes]), { signal, onProgress: (sentBytes) => tell({ sentBytes }) })
  void sending.then((reply) => tell({ reply }))
})
