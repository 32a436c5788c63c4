import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { StorageKey } from '../keys.ts'
import type { S3DriverOptions } from './client.ts'
import { authorizationFor, encode, signingKeyOf } from './sign-request.ts'

/** A request about one object, to be sent past the layers of the SDK. */
export interface CallToSign {
  readonly method: 'GET' | 'PUT'
  readonly key: StorageKey
  /** Lower-case names; those without a value are left out. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly payloadHash: string
}

export interface SignedCall {
  readonly url: URL
  /** Encoded, as it is signed. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Signer {
  /** `null` where only the SDK knows the way. */
  sign(call: CallToSign): SignedCall | null
  /** The SDK did what was refused here: it is left to it from now on. */
  giveUp(): void
}

/** What a bucket may be called for its name to stand in a host's. */
const HOST_LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

/** A key that is sent as it is. */
const PLAIN_KEY = /^[\w.~/-]*$/

/** IPv6 stands in brackets in an address only. */
export const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Where the bucket's keys begin; `null` where only the SDK knows. */
function baseOf({ endpointUrl, bucket, pathStyle }: S3DriverOptions): URL | null {
  const url = new URL(endpointUrl)
  if (url.search !== '' || url.hash !== '' || url.username !== '') return null
  url.pathname = url.pathname.replace(/\/*$/, '/')
  if (pathStyle) return new URL(`${encode(bucket)}/`, url)
  if (!HOST_LABEL.test(bucket) || isIP(hostnameOf(url)) !== 0) return null
  url.hostname = `${bucket}.${url.hostname}`
  return url
}

/** @param nowMs the storage's time, as far as its answers told. */
export function createSigner(
  o: S3DriverOptions,
  { region, nowMs }: { region: string; nowMs: () => number },
): Signer {
  let base = baseOf(o)
  let day: { scope: string; signingKey: KeyObject } | null = null

  function keyOf(date: string) {
    const scope = `${date}/${region}/s3/aws4_request`
    if (day?.scope !== scope) day = { scope, signingKey: signingKeyOf(o.secretAccessKey, scope) }
    return day
  }

  return {
    giveUp: () => void (base = null),
    sign({ method, key, headers, payloadHash }) {
      if (base === null) return null
      const timestamp = new Date(nowMs()).toISOString().replace(/[-:]|\.\d+/g, '')
      const given = {
        ...headers,
        host: base.host,
        'x-amz-content-sha256': payloadHash,
        'x-amz-date': timestamp,
      }
      const sent: Record<string, string> = {}
      for (const [name, value] of Object.entries(given)) if (value !== undefined) sent[name] = value
      const signed = Object.entries(sent).sort(([one], [other]) => (one < other ? -1 : 1))
      const path = base.pathname + (PLAIN_KEY.test(key) ? key : key.split('/').map(encode).join('/'))
      const authorization = authorizationFor(
        { method, path, headers: signed, payloadHash },
        { accessKeyId: o.accessKeyId, timestamp, ...keyOf(timestamp.slice(0, 8)) },
      )
      sent['authorization'] = authorization
      return { url: base, path, headers: sent }
    },
  }
}
