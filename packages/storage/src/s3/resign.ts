import { createHash, createHmac } from 'node:crypto'

/** As SigV4 wants it: everything but letters, digits and `-._~`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * Signs an address again that differs from a signed one in its query alone. The SDK takes a millisecond for each, which
 * makes ten seconds of the ten thousand parts of an upload.
 * Source: AWS "Signing and authenticating REST requests", API/sigv4-query-string-auth.html, read 2026-11-20.
 * @param signedUrl for PUT, signed over `host`, the payload unsigned.
 * @param change names and values of the query that are other ones now.
 */
export function resign(
  signedUrl: string,
  { change, secretAccessKey }: { change: Readonly<Record<string, string>>; secretAccessKey: string },
): string {
  const url = new URL(signedUrl)
  const query = new Map(url.searchParams)
  query.delete('X-Amz-Signature')
  for (const [name, value] of Object.entries(change)) query.set(name, value)
  const canonicalQuery = [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const request = [
    'PUT',
    url.pathname,
    canonicalQuery,
    `host:${url.host}`,
    '',
    'host',
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const [, ...scope] = (query.get('X-Amz-Credential') ?? '').split('/')
  const toSign = [
    'AWS4-HMAC-SHA256',
    query.get('X-Amz-Date') ?? '',
    scope.join('/'),
    createHash('sha256').update(request).digest('hex'),
  ].join('\n')
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secretAccessKey}`)
  const signature = hmac(key, toSign).toString('hex')
  return `${url.origin}${url.pathname}?${canonicalQuery}&X-Amz-Signature=${signature}`
}

export const signatureOf = (signedUrl: string): string | null =>
  new URL(signedUrl).searchParams.get('X-Amz-Signature')
