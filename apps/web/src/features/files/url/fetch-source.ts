import { interpretReply } from '../../../domains/api/api-client.ts'
import { ApiError } from '../../../lib/api-error.ts'

interface FetchInput {
  readonly url: string
  /** Upload limit of the server. */
  readonly limitBytes: number
  /** Whether the response comes from this server. Only errors of this server contain messages. */
  readonly isProxy: boolean
  readonly signal: AbortSignal
  /** @param totalBytes `null` if the source does not declare the size */
  readonly onProgress: (doneBytes: number, totalBytes: number | null) => void
}

const refusedBySource = (status: number) =>
  new ApiError({ kind: 'http', status, code: 'url.bad_source', message: `HTTP ${status}` })

function requireRoom(sizeBytes: number | null, limitBytes: number): void {
  if (sizeBytes === null || sizeBytes <= limitBytes) return
  throw new ApiError({ kind: 'http', status: 413, code: 'file.too_large', message: 'The file is too large.' })
}

/**
 * Converts an error of `fetch` to a cancellation or a connection error, because browsers report no reason. Returns an
 * `ApiError` unchanged.
 */
function transportError(cause: unknown, signal: AbortSignal): ApiError {
  if (cause instanceof ApiError) return cause
  const kind = signal.aborted ? 'cancelled' : 'network'
  return new ApiError({ kind, code: `client.${kind}`, message: String(cause), cause })
}

async function openSource({ url, isProxy, signal }: FetchInput): Promise<Response> {
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' })
  if (response.ok) return response
  const { status } = response
  if (!isProxy) throw refusedBySource(status)
  interpretReply(
    { status, text: await response.text(), retryAfter: null },
    { method: 'GET', url, headers: {} },
  )
  throw refusedBySource(status)
}

/**
 * Downloads a file into the browser.
 * @throws {ApiError} `client.network` also if the source does not allow CORS, `client.cancelled`, `file.too_large`,
 * `url.bad_source`, and errors of this server
 */
export async function fetchSource(input: FetchInput): Promise<Blob> {
  const { limitBytes, signal, onProgress } = input
  try {
    const response = await openSource(input)
    const length = response.headers.get('Content-Length')
    // For a compressed response, the declared length is not the size of the file.
    const isPlain = response.headers.get('Content-Encoding') === null
    const totalBytes = length !== null && isPlain ? Number(length) : null
    requireRoom(totalBytes, limitBytes)
    const chunks: BlobPart[] = []
    let doneBytes = 0
    const reader = response.body?.getReader()
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      chunks.push(read.value)
      doneBytes += read.value.byteLength
      requireRoom(doneBytes, limitBytes)
      onProgress(doneBytes, totalBytes)
    }
    return new Blob(chunks)
  } catch (error) {
    throw transportError(error, signal)
  }
}
