import { UploadError } from '@dropleaf/uploader'
import { ApiError } from '../../lib/api-error.ts'
import { interpretReply } from './api-client.ts'
import { put, type PutReply, type PutRequest } from './put-request.ts'
import { putInWorker } from './put-in-worker.ts'

/** A file, or bytes in memory. Bytes in memory are transferred to the request, so the caller can no longer use them. */
export type SentBody = Blob | Uint8Array<ArrayBuffer>

export interface SendInput extends PutRequest {
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

const unfinished = (kind: 'network' | 'cancelled') =>
  new ApiError({ kind, code: `client.${kind}`, message: 'The upload did not finish.' })

/** Workers resolve relative URLs against their own script. */
const absolute = (request: PutRequest): PutRequest => ({
  ...request,
  url: new URL(request.url, window.location.href).href,
})

/**
 * Sends a body and reports its progress.
 *
 * @throws {ApiError}
 * @throws {UploadError} `upload.source_unreadable`, which browsers report like a connection error
 */
export async function sendBytes({ body, signal, onProgress, ...request }: SendInput): Promise<SendAnswer> {
  const reply = await (body instanceof Blob
    ? put(request, body, { signal, onProgress })
    : putInWorker(absolute(request), { bytes: body, signal, onProgress }))
  if (reply.kind === 'reply') {
    if (reply.status >= 200 && reply.status < 300) return reply
    throw refusalOf(reply, request)
  }
  if (reply.kind === 'network' && !(await isReadable(body))) throw new UploadError('upload.source_unreadable')
  throw unfinished(reply.kind)
}

function refusalOf({ status, text }: Extract<PutReply, { kind: 'reply' }>, request: PutRequest): unknown {
  try {
    interpretReply({ status, text, retryAfter: null }, request)
  } catch (error) {
    return error
  }
  return new ApiError({ kind: 'http', status, code: 'client.unknown', message: `HTTP ${status}` })
}
