import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { StorageKey } from '../keys.ts'
import type { S3DriverOptions } from './client.ts'
import { authorizationFor, encode, queryOf, signedQueryFor, signingKeyOf } from './sign-request.ts'

/** A request about one object, to be sent past the layers of the SDK. */
export interface CallToSign {
  readonly method: 'GET' | 'PUT'
  readonly key: StorageKey
  readonly query?: Readonly<Record<string, string>>
  /** Lower-case names; those without a value are left out. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly payloadHash: string
}

export interface SignedCall {
  readonly url: URL
  /** With its query; encoded, as it is signed. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request about one object that is left to whoever holds its address. */
export interface LinkToSign {
  readonly method: 'GET' | 'PUT'
  readonly key: StorageKey
  /** Values by name; those without one are left out. */
  readonly query: Readonly<Record<string, string | undefined>>
  readonly nowMs: number
  /** From 1 to a week. */
  readonly expiresInSeconds: number
}

export interface Signer {
  /** `null` where only the SDK knows the way. */
  sign(call: CallToSign): SignedCall | null
  /** The same address as the SDK's, which takes half a millisecond for one. `null` where only the SDK knows the way. */
  signLink(link: LinkToSign): string | null
  /** The SDK did what was refused here: it is left to it from now on. */
  giveUp(): void
}

/** What a bucket may be called for its name to stand in a host's. */
const HOST_LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

/** Buckets that are signed for in a way of their own: access points, and those of S3 Express. */
const OWN_RULES = /^arn:|--/

/** Regions that the SDK takes for what they say; others it translates. */
const PLAIN_REGION = /^(?!aws-global$|fips-|.*-fips$)[a-z0-9-]+$/

/** A key that is sent as it is. */
const PLAIN_KEY = /^[\w.~/-]*$/

/** IPv6 stands in brackets in an address only. */
export const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Where the bucket's keys begin; `null` where only the SDK knows. */
function baseOf({ endpointUrl, bucket, pathStyle }: S3DriverOptions, region: string): URL | null {
  const url = new URL(endpointUrl)
  if (url.search !== '' || url.hash !== '' || url.username !== '') return null
  if (OWN_RULES.test(bucket) || !PLAIN_REGION.test(region)) return null
  // The SDK has its own idea of a slash at the end.
  if (!pathStyle && /.\/$/.test(url.pathname)) return null
  url.pathname = url.pathname.replace(/\/*$/, '/')
  if (pathStyle) return new URL(`${encode(bucket)}/`, url)
  if (!HOST_LABEL.test(bucket) || isIP(hostnameOf(url)) !== 0) return null
  url.hostname = `${bucket}.${url.hostname}`
  return url
}

const pathOf = (base: URL, key: StorageKey): string =>
  base.pathname + (PLAIN_KEY.test(key) ? key : key.split('/').map(encode).join('/'))

function definedOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defined: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) if (value !== undefined) defined[name] = value
  return defined
}

/** @param nowMs the storage's time, as far as its answers told. */
export function createSigner(
  o: S3DriverOptions,
  { region, nowMs }: { region: string; nowMs: () => number },
): Signer {
  let base = baseOf(o, region)
  let day: { scope: string; signingKey: KeyObject } | null = null

  function signingAt(atMs: number) {
    const timestamp = new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')
    const scope = `${timestamp.slice(0, 8)}/${region}/s3/aws4_request`
    if (day?.scope !== scope) day = { scope, signingKey: signingKeyOf(o.secretAccessKey, scope) }
    return { accessKeyId: o.accessKeyId, timestamp, ...day }
  }

  return {
    giveUp: () => void (base = null),
    sign({ method, key, query: values = {}, headers, payloadHash }) {
      if (base === null) return null
      const signing = signingAt(nowMs())
      const given = {
        ...headers,
        host: base.host,
        'x-amz-content-sha256': payloadHash,
        'x-amz-date': signing.timestamp,
      }
      const sent = definedOf(given)
      const signed = Object.entries(sent).sort(([one], [other]) => (one < other ? -1 : 1))
      const path = pathOf(base, key)
      const query = queryOf(values)
      const request = { method, path, query, headers: signed, payloadHash }
      sent['authorization'] = authorizationFor(request, signing)
      return { url: base, path: query === '' ? path : `${path}?${query}`, headers: sent }
    },
    signLink({ method, key, query, nowMs: atMs, expiresInSeconds }) {
      if (base === null) return null
      const path = pathOf(base, key)
      const link = { method, host: base.host, path, query: definedOf(query), expiresInSeconds }
      return `${base.origin}${path}?${signedQueryFor(link, signingAt(atMs))}`
    },
  }
}
