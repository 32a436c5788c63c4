import { UploadError } from '@dropleaf/uploader'
import { interpretReply } from './api-client.ts'
import { ApiError } from '../../lib/api-error.ts'

/**
 * A file, or bytes in memory. Bytes are not sent as a `Blob`, because browsers retain a `Blob` of bytes until garbage
 * collection.
 */
export type SentBody = Blob | Uint8Array<ArrayBuffer>

export interface SendInput {
  readonly method: 'PUT' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: SentBody
  readonly signal: AbortSignal
  readonly onProgress: (sentBytes: number) => void
}

export interface SendAnswer {
  /** Entity tag without quotes, or `null` if the storage does not expose it. */
  readonly etag: string | null
  /**
   * Body of the response. Only the body from our own server is useful, because a storage sends an empty body or uses
   * another format.
   */
  readonly text: string
}

const plainEtag = (request: XMLHttpRequest) =>
  request.getResponseHeader('ETag')?.replace(/^W\//, '').replaceAll('"', '') ?? null

/**
 * Whether the browser can still read a chosen file. Reads the last byte, because the file can have become shorter
 * since the user chose it.
 */
async function isReadable(body: SentBody): Promise<boolean> {
  if (!(body instanceof Blob) || body.size === 0) return true
  try {
    return (await body.slice(-1).arrayBuffer()).byteLength === 1
  } catch {
    return false
  }
}

/**
 * Uses XMLHttpRequest because `fetch` reports no upload progress.
 *
 * @throws {ApiError}
 * @throws {UploadError} `upload.source_unreadable`, which browsers report like a connection error
 */
export function sendBytes(input: SendInput): Promise<SendAnswer> {
  const { method, url, headers, body, signal, onProgress } = input
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (kind: 'network' | 'cancelled') =>
      reject(new ApiError({ kind, code: `client.${kind}`, message: 'The upload did not finish.' }))
    if (signal.aborted) {
      fail('cancelled')
      return
    }
    const abort = () => request.abort()
    const bodyBytes = body instanceof Blob ? body.size : body.byteLength
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, bodyBytes)))
    request.addEventListener('load', () => {
      const isSuccess = request.status >= 200 && request.status < 300
      if (isSuccess) resolve({ etag: plainEtag(request), text: request.responseText })
      else reject(refusalOf(request, input))
    })
    const explain = async () => {
      if (await isReadable(body)) fail('network')
      else reject(new UploadError('upload.source_unreadable'))
    }
    request.addEventListener('error', () => void explain())
    request.addEventListener('abort', () => fail('cancelled'))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    signal.addEventListener('abort', abort)
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}

function refusalOf(request: XMLHttpRequest, { method, url, headers }: SendInput): unknown {
  const { status } = request
  try {
    interpretReply({ status, text: request.responseText, retryAfter: null }, { method, url, headers })
  } catch (error) {
    return error
  }
  return new ApiError({ kind: 'http', status, code: 'client.unknown', message: `HTTP ${status}` })
}
