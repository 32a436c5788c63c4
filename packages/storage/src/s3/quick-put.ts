import { type Agent as HttpAgent, type ClientRequest, request as requestHttp } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { StorageKey } from '../keys.ts'
import { createPlainPuts, type PlainPuts } from './plain-put.ts'
import { sha256, UNSIGNED_PAYLOAD } from './sign-request.ts'
import { hostnameOf, type SignedCall, type Signer } from './signer.ts'

/** One PutObject of gathered bytes, or one UploadPart. */
export interface QuickPut {
  readonly key: StorageKey
  readonly part?: { readonly uploadId: string; readonly partNumber: number }
  readonly bytes: Buffer
  readonly contentType?: string | undefined
  readonly ifNoneMatch?: string | undefined
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * One attempt at a PutObject, past the layers of the SDK, which take longer over a small one than everything else of ours. It
 * knows success alone: whatever else comes of it, the SDK does the whole call with its retries, and tells of failures.
 */
export interface QuickPuts {
  put(put: QuickPut): Promise<QuickOutcome>
  /** The SDK did what was refused here. When that comes several times in turn, it is left to it from then on. */
  noteWrong(): void
  close(): void
}

export interface QuickOutcome {
  /** With its quotes; `null` when the SDK is to do it. */
  readonly etag: string | null
  /** Whether the storage said no to what it was asked, which it may have to say again. */
  readonly isRefused: boolean
}

const FAILED: QuickOutcome = { etag: null, isRefused: false }

/** What passes, like too many requests at a time, or is no answer to what was asked. */
const PASSING_STATUSES = new Set([408, 409, 425, 429])

function outcomeOf(status: number, etag: string | undefined): QuickOutcome {
  if (status === HTTP_OK) return { etag: etag ?? null, isRefused: false }
  return { etag: null, isRefused: status >= 400 && status < 500 && !PASSING_STATUSES.has(status) }
}

const queryFor = (part: QuickPut['part']): Record<string, string> =>
  part === undefined ? {} : { partNumber: String(part.partNumber), uploadId: part.uploadId }

interface Surroundings {
  readonly timeoutMs: number
  readonly agents: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent }
}

const HTTP_PORT = 80
const HTTP_OK = 200
/** Of a body that is written at once Node sees nothing while it goes over TLS, and would take that for silence. */
const SLICE_BYTES = 128 * 1024
/** Refusals in turn of what the SDK could do, before that is asked at once. */
const WRONG_MAX = 3

function sendSlices(call: ClientRequest, bytes: Buffer, from = 0): void {
  const to = from + SLICE_BYTES
  if (to >= bytes.length) call.end(bytes.subarray(from))
  else
    call.write(bytes.subarray(from, to), (error) => {
      if (!error && !call.destroyed) sendSlices(call, bytes, to)
    })
}

export function createQuickPuts(signer: Signer, { timeoutMs, agents }: Surroundings): QuickPuts {
  let plainPuts: PlainPuts | undefined
  let wrongInTurn = 0

  function sendPlainly({ url, path, headers }: SignedCall, { bytes, signal }: QuickPut) {
    if (url.protocol !== 'http:') return undefined
    const port = url.port === '' ? HTTP_PORT : Number(url.port)
    plainPuts ??= createPlainPuts({ host: hostnameOf(url), port, timeoutMs })
    return plainPuts.put({ path, headers, bytes, signal })
  }

  function send({ url, path, headers }: SignedCall, { bytes, signal }: QuickPut): Promise<QuickOutcome> {
    const isTls = url.protocol === 'https:'
    return new Promise((resolve) => {
      const call = (isTls ? requestHttps : requestHttp)({
        method: 'PUT',
        hostname: hostnameOf(url),
        ...(url.port !== '' && { port: url.port }),
        path,
        agent: isTls ? agents.httpsAgent : agents.httpAgent,
        headers: { ...headers, 'content-length': bytes.length },
        timeout: timeoutMs,
        ...(signal && { signal }),
      })
      call.on('response', (answer) => {
        if (!call.writableFinished) {
          // It was refused before all was sent; what is left would go up beside the next attempt.
          resolve(outcomeOf(answer.statusCode ?? 0, undefined))
          call.destroy()
          return
        }
        answer.on('end', () => resolve(outcomeOf(answer.statusCode ?? 0, answer.headers.etag)))
        answer.on('error', () => resolve(FAILED))
        answer.resume()
      })
      call.on('timeout', () => call.destroy())
      call.on('error', () => resolve(FAILED))
      sendSlices(call, bytes)
    })
  }

  async function attempt(signed: SignedCall, put: QuickPut): Promise<QuickOutcome> {
    const plain = sendPlainly(signed, put)
    if (plain === undefined) return send(signed, put)
    const head = await plain
    return head === null ? FAILED : outcomeOf(head.status, head.headers.get('etag'))
  }

  return {
    noteWrong() {
      wrongInTurn += 1
      if (wrongInTurn >= WRONG_MAX) signer.giveUp()
    },
    close: () => plainPuts?.close(),
    async put(put) {
      const { key, part, bytes, contentType, ifNoneMatch, ifMatch } = put
      const headers = { 'content-type': contentType, 'if-match': ifMatch, 'if-none-match': ifNoneMatch }
      // Hashing a part costs more than sending it; the SDK's parts have none either.
      const payloadHash = part === undefined ? sha256(bytes) : UNSIGNED_PAYLOAD
      const signed = signer.sign({ method: 'PUT', key, query: queryFor(part), headers, payloadHash })
      if (signed === null) return FAILED
      const outcome = await attempt(signed, put)
      if (outcome.etag !== null) wrongInTurn = 0
      return outcome
    },
  }
}
