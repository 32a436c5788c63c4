import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

/** As SigV4 wants it: everything but letters, digits and `-._~`. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export const hmac = (key: string | Buffer | KeyObject, text: string): Buffer =>
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
  /** Lower-case names in the order of the alphabet; all of them are signed. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly payloadHash: string
}

/**
 * The `Authorization` of a request without a query.
 * Source: AWS "Authenticating requests: using the Authorization header", API/sigv4-auth-using-authorization-header.html,
 * read 2026-11-22.
 * @param scope of the signing key. @param timestamp as in `x-amz-date`
 */
export function authorizationFor(
  { method, path, headers, payloadHash }: RequestToSign,
  {
    accessKeyId,
    signingKey,
    scope,
    timestamp,
  }: { accessKeyId: string; signingKey: KeyObject; scope: string; timestamp: string },
): string {
  const names = headers.map(([name]) => name).join(';')
  const lines = headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`)
  const request = [method, path, '', ...lines, '', names, payloadHash].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, sha256(request)].join('\n')
  const signature = hmac(signingKey, toSign).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}
