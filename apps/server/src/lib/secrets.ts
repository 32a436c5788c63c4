import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const FORMAT = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Cryptographic functions. Each purpose has its own key, derived from the master secret. */
export interface Secrets {
  /** Encrypts with AES-256-GCM. The result contains its version, nonce and tag. `open` needs the same `context`. */
  seal(plain: string, context: string): string
  /** @throws {Error} if the text was changed, or sealed with another secret or context. */
  open(sealed: string, context: string): string
  /** Returns a keyed hash in hex, to look up a credential without storing it. */
  fingerprint(text: string): string
  /** Returns the signature of a link or ticket in base64url. */
  sign(text: string): string
  /** Compares a signature with the result of {@link sign} in constant time. */
  verify(text: string, signature: string): boolean
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'dropleaf', purpose, 32))
}

export function constantTimeEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export function createSecrets(secret: string): Secrets {
  const sealKey = deriveKey(secret, 'stored-secrets')
  // Key objects are created only once, because creating a key object takes longer than using it.
  const fingerprintKey = createSecretKey(deriveKey(secret, 'credential-lookup'))
  const signKey = createSecretKey(deriveKey(secret, 'signed-links'))
  const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text)
  const sign = (text: string) => hmac(signKey, text).digest('base64url')
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${FORMAT}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed, context) {
      const [format, encoded] = sealed.split('.')
      if (format !== FORMAT || !encoded) throw new Error('Sealed text has an unknown format.')
      const bytes = Buffer.from(encoded, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8')
    },
    fingerprint: (text) => hmac(fingerprintKey, text).digest('hex'),
    sign,
    verify: (text, signature) => constantTimeEqual(sign(text), signature),
  }
}
