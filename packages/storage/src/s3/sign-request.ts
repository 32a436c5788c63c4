import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'

/** As SigV4 wants it: everything but letters, digits and `-._~`. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: string | Buffer | KeyObject, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

export const sha256 = (content: string | Buffer): string => hash('sha256', content, 'hex')

/** The key of a day's signatures, made of its scope (`20261120/us-east-1/s3/aws4_request`). */
export const signingKeyOf = (secretAccessKey: string, scope: string): KeyObject =>
  createSecretKey(
    scope
      .split('/')
      .reduce<Buffer>((parent, part) => hmac(parent, part), Buffer.from(`AWS4${secretAccessKey}`)),
  )

export interface RequestToSign {
  readonly method: string
  /** Encoded, as it is sent. */
  readonly path: string
  /** Encoded and in order, as {@link queryOf} makes it. */
  readonly query: string
  /** Lower-case names in the order of the alphabet; all of them are signed. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly payloadHash: string
}

/** Who signs, and when. */
export interface Signing {
  readonly accessKeyId: string
  readonly signingKey: KeyObject
  /** Of the signing key. */
  readonly scope: string
  /** As in `x-amz-date`. */
  readonly timestamp: string
}

function signatureOf(request: string, { signingKey, scope, timestamp }: Signing): string {
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, sha256(request)].join('\n')
  return hmac(signingKey, toSign).toString('hex')
}

/** A query as it is signed and sent. */
export const queryOf = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')

/**
 * The `Authorization` of a request.
 * Source: AWS "Authenticating requests: using the Authorization header", API/sigv4-auth-using-authorization-header.html,
 * read 2026-11-22.
 */
export function authorizationFor(
  { method, path, query, headers, payloadHash }: RequestToSign,
  signing: Signing,
): string {
  const names = headers.map(([name]) => name).join(';')
  const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`)
  const request = [method, path, query, ...lines, '', names, payloadHash].join('\n')
  const credential = `${signing.accessKeyId}/${signing.scope}`
  const signature = signatureOf(request, signing)
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
}

export interface AddressToSign {
  readonly method: string
  /** As in the header. */
  readonly host: string
  /** Encoded, as it is sent. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly expiresInSeconds: number
}

/**
 * The query of a signed address, as the SDK has it: over the `host` header alone, the body unsigned.
 * Source: AWS "Authenticating requests: using query parameters", API/sigv4-query-string-auth.html, read 2026-11-20.
 */
export function signedQueryFor(
  { method, host, path, query, expiresInSeconds }: AddressToSign,
  signing: Signing,
): string {
  const all = {
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Content-Sha256': UNSIGNED_PAYLOAD,
    'X-Amz-Credential': `${signing.accessKeyId}/${signing.scope}`,
    'X-Amz-Date': signing.timestamp,
    'X-Amz-Expires': String(expiresInSeconds),
    'X-Amz-SignedHeaders': 'host',
  }
  const lines = [method, path, queryOf(all), `host:${host}`, '', 'host', UNSIGNED_PAYLOAD]
  const signature = signatureOf(lines.join('\n'), signing)
  return queryOf({ ...all, 'X-Amz-Signature': signature })
}
