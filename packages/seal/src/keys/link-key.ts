import { type Bytes, fromBase64url, randomBytes, toBase64url } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'

const SECRET_BYTES = 32
/** Base64url of 32 bytes. */
const LINK_KEY_LENGTH = 43

/** Creates the secret of a new share. Only the link of the share contains it. */
export const createSecret = (): Bytes => randomBytes(SECRET_BYTES)

/** Formats a secret as the part of a link after `#`. */
export const formatLinkKey = (secret: Uint8Array): string => toBase64url(secret)

/**
 * Parses the part of a link after `#`, with or without the `#`.
 * @throws {SealError} `key.missing`, `key.length`, `key.characters` or `key.ending`
 */
export function parseLinkKey(text: string): Bytes {
  const key = text.trim().replace(/^#/, '')
  if (key === '') throw new SealError('key.missing')
  if (/[^A-Za-z0-9_-]/.test(key)) throw new SealError('key.characters')
  if (key.length !== LINK_KEY_LENGTH) throw new SealError('key.length')
  const secret = fromBase64url(key)
  if (secret === null) throw new SealError('key.ending')
  return secret
}
