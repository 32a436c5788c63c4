import { encode, hmac, sha256, signingKeyOf } from './sign-request.ts'

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
  const toSign = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date') ?? '', scope.join('/'), sha256(request)].join(
    '\n',
  )
  const signature = hmac(signingKeyOf(secretAccessKey, scope.join('/')), toSign).toString('hex')
  return `${url.origin}${url.pathname}?${canonicalQuery}&X-Amz-Signature=${signature}`
}

export const signatureOf = (signedUrl: string): string | null =>
  new URL(signedUrl).searchParams.get('X-Amz-Signature')
