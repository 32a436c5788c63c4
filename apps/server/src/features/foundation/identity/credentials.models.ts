import { isUtf8 } from 'node:buffer'

/** A credential as presented by the client. */
export type Credential =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }

/**
 * Parses an `Authorization` header; `null` if it is absent, malformed or of an unknown scheme. Scheme names are
 * case-sensitive.
 */
export function parseAuthorization(header: string | undefined): Credential | null {
  if (!header) return null
  const space = header.indexOf(' ')
  const scheme = header.slice(0, space)
  const value = header.slice(space + 1).trim()
  if (space < 0 || value === '') return null
  if (scheme === 'Bearer') return { kind: 'bearer', token: value }
  if (scheme === 'ApiKey') return { kind: 'key', key: value }
  if (scheme !== 'Basic') return null
  const bytes = Buffer.from(value, 'base64')
  // Many clients support only ISO-8859-1 in this header, whatever charset the server announces.
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const colon = text.indexOf(':')
  return colon < 0 ? null : { kind: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) }
}
