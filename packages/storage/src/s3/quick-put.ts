import { type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { StorageKey } from '../keys.ts'
import { sha256 } from './sign-request.ts'
import { hostnameOf, type Signer } from './signer.ts'

/** One PutObject of gathered bytes. */
export interface QuickPut {
  readonly key: StorageKey
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
  /** The SDK did what was refused here: it is left to it from now on. */
  giveUp(): void
}

export interface QuickOutcome {
  /** With its quotes; `null` when the SDK is to do it. */
  readonly etag: string | null
  /** Whether the storage said no, which it may have to say again. */
  readonly isRefused: boolean
}

const FAILED: QuickOutcome = { etag: null, isRefused: false }

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): QuickOutcome {
  const etag = headers.etag ?? null
  return statusCode === 200 ? { etag, isRefused: false } : { etag: null, isRefused: statusCode < 500 }
}

interface Surroundings {
  readonly timeoutMs: number
  readonly agents: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent }
}

export function createQuickPuts(signer: Signer, { timeoutMs, agents }: Surroundings): QuickPuts {
  return {
    giveUp: () => signer.giveUp(),
    put({ key, bytes, contentType, ifNoneMatch, ifMatch, signal }) {
      const headers = { 'content-type': contentType, 'if-match': ifMatch, 'if-none-match': ifNoneMatch }
      const signed = signer.sign({ method: 'PUT', key, headers, payloadHash: sha256(bytes) })
      if (signed === null) return Promise.resolve(FAILED)
      const { url, path } = signed
      const isTls = url.protocol === 'https:'
      return new Promise((resolve) => {
        const call = (isTls ? requestHttps : requestHttp)({
          method: 'PUT',
          hostname: hostnameOf(url),
          ...(url.port !== '' && { port: url.port }),
          path,
          agent: isTls ? agents.httpsAgent : agents.httpAgent,
          headers: { ...signed.headers, 'content-length': bytes.length },
          timeout: timeoutMs,
          ...(signal && { signal }),
        })
        call.on('response', (answer) => {
          answer.on('end', () => resolve(outcomeOf(answer)))
          answer.on('error', () => resolve(FAILED))
          answer.resume()
        })
        call.on('timeout', () => call.destroy())
        call.on('error', () => resolve(FAILED))
        call.end(bytes)
      })
    },
  }
}
