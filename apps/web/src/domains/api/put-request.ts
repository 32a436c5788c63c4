/** Sends a body and reports the progress. Pages and workers use this module, so it imports nothing. */

export interface PutRequest {
  readonly method: 'PUT' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type PutReply =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly text: string
      /** Entity tag without quotes, or `null` if the storage does not expose it. */
      readonly etag: string | null
    }
  | { readonly kind: 'network' | 'cancelled' }

interface Sending {
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
}

const plainEtag = (request: XMLHttpRequest) =>
  request.getResponseHeader('ETag')?.replace(/^W\//, '').replaceAll('"', '') ?? null

/** Uses XMLHttpRequest because `fetch` reports no upload progress. */
export function put(
  { method, url, headers }: PutRequest,
  body: Blob,
  { signal, onProgress }: Sending,
): Promise<PutReply> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'cancelled' })
      return
    }
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, body.size)))
    request.addEventListener('load', () => {
      const { status, responseText: text } = request
      resolve({ kind: 'reply', status, text, etag: plainEtag(request) })
    })
    request.addEventListener('error', () => resolve({ kind: 'network' }))
    request.addEventListener('abort', () => resolve({ kind: 'cancelled' }))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}
