import type { StorageKey } from '../keys.ts'
import { askPlainly, type PlainAnswer } from './plain-answer.ts'
import { UNSIGNED_PAYLOAD } from './sign-request.ts'
import { hostnameOf, type Signer } from './signer.ts'

/** One GetObject. */
export interface QuickGet {
  readonly key: StorageKey
  /** As in the header. */
  readonly range: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * One attempt at a GetObject of a storage that is spoken to without TLS, as those beside the server are: past the SDK, and past
 * the HTTP client, which takes new memory for each 64 KiB. It knows success alone, as quick puts do.
 */
export interface QuickGets {
  /** @returns `null` when the SDK is to do it. @throws the signal's reason */
  get(get: QuickGet): Promise<PlainAnswer | null>
}

const HTTP_PORT = 80

export function createQuickGets(signer: Signer, { timeoutMs }: { timeoutMs: number }): QuickGets {
  return {
    async get({ key, range, signal }) {
      const signed = signer.sign({ method: 'GET', key, headers: { range }, payloadHash: UNSIGNED_PAYLOAD })
      if (signed?.url.protocol !== 'http:') return null
      const { url, path, headers } = signed
      const port = url.port === '' ? HTTP_PORT : Number(url.port)
      const answer = await askPlainly({ host: hostnameOf(url), port, path, headers, timeoutMs, signal })
      if (answer?.status === (range === undefined ? 200 : 206)) return answer
      answer?.cancel()
      return null
    },
  }
}
