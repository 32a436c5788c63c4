import { type Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { type Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { StorageKey } from '../keys.ts'
import type { S3DriverOptions } from './client.ts'
import { authorizationFor, encode, sha256, signingKeyOf } from './sign-request.ts'

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

/** What a bucket may be called for its name to stand in a host's. */
const HOST_LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

/** Where the bucket's keys begin; `null` where only the SDK knows. */
function baseOf({ endpointUrl, bucket, pathStyle }: S3DriverOptions): URL | null {
  const url = new URL(endpointUrl)
  if (url.search !== '' || url.hash !== '' || url.username !== '') return null
  url.pathname = url.pathname.replace(/\/*$/, '/')
  if (pathStyle) return new URL(`${encode(bucket)}/`, url)
  if (!HOST_LABEL.test(bucket) || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return null
  url.hostname = `${bucket}.${url.hostname}`
  return url
}

interface Surroundings {
  readonly region: string
  readonly timeoutMs: number
  readonly agents: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent }
  /** The storage's time, as far as its answers told. */
  readonly nowMs: () => number
}

export function createQuickPuts(
  o: S3DriverOptions,
  { region, timeoutMs, agents, nowMs }: Surroundings,
): QuickPuts {
  let base = baseOf(o)
  let day: { scope: string; signingKey: KeyObject } | null = null

  function keyOf(date: string) {
    const scope = `${date}/${region}/s3/aws4_request`
    if (day?.scope !== scope) day = { scope, signingKey: signingKeyOf(o.secretAccessKey, scope) }
    return day
  }

  function headersFor({ host }: URL, path: string, put: QuickPut): Record<string, string | number> {
    const timestamp = new Date(nowMs()).toISOString().replace(/[-:]|\.\d+/g, '')
    const payloadHash = sha256(put.bytes)
    const signed = [
      ['content-type', put.contentType],
      ['host', host],
      ['if-match', put.ifMatch],
      ['if-none-match', put.ifNoneMatch],
      ['x-amz-content-sha256', payloadHash],
      ['x-amz-date', timestamp],
    ].filter((header): header is [string, string] => header[1] !== undefined)
    const authorization = authorizationFor(
      { method: 'PUT', path, headers: signed, payloadHash },
      { accessKeyId: o.accessKeyId, timestamp, ...keyOf(timestamp.slice(0, 8)) },
    )
    return { ...Object.fromEntries(signed), authorization, 'content-length': put.bytes.length }
  }

  return {
    giveUp: () => void (base = null),
    put(put) {
      const url = base
      if (url === null) return Promise.resolve(FAILED)
      const isTls = url.protocol === 'https:'
      const path = url.pathname + put.key.split('/').map(encode).join('/')
      return new Promise((resolve) => {
        const call = (isTls ? requestHttps : requestHttp)({
          method: 'PUT',
          // IPv6 stands in brackets in an address only.
          hostname: url.hostname.replace(/^\[|\]$/g, ''),
          ...(url.port !== '' && { port: url.port }),
          path,
          agent: isTls ? agents.httpsAgent : agents.httpAgent,
          headers: headersFor(url, path, put),
          timeout: timeoutMs,
          ...(put.signal && { signal: put.signal }),
        })
        call.on('response', (answer) => {
          answer.on('end', () => resolve(outcomeOf(answer)))
          answer.on('error', () => resolve(FAILED))
          answer.resume()
        })
        call.on('timeout', () => call.destroy())
        call.on('error', () => resolve(FAILED))
        call.end(put.bytes)
      })
    },
  }
}
