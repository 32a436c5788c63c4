import * as z from 'zod/mini'
import { type Bytes, fromBase64url, randomBytes, sealedText, toBase64url } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import { markSealed, type Sealed } from '../core/sealed.ts'
import { createKdf, type DerivePassword, type Kdf, parseKdf } from './kdf.ts'
import { createSecret, formatLinkKey } from './link-key.ts'
import { deriveShareKeys, type ShareKeys } from './schedule.ts'

export const SHARE_SALT_BYTES = 16

/** Public parameters of a share's keys. The server returns them to every client. */
export interface ShareSalts {
  /** Base64url of 16 bytes. */
  readonly salt: string
  /** `null` for a share without a password. */
  readonly kdf: Kdf | null
}

/** Data about a share's keys that the server stores. */
export interface ShareFacts extends ShareSalts {
  /** Base64url of SHA-256 of the proof. */
  readonly verifier: string
}

export interface NewShare {
  /** 32 bytes that only the link contains. Never sent. */
  readonly secret: Bytes
  /** The part of the link after `#`. Never sent. */
  readonly linkKey: string
  readonly keys: ShareKeys
  readonly facts: Sealed<ShareFacts>
}

const saltsSchema = z.object({ salt: z.string(), kdf: z.nullable(z.unknown()) })

/**
 * Checks the public parameters of a share's keys, which come from a server or a file.
 * @throws {SealError} `share.malformed`, `kdf.refused`
 */
export function parseShareSalts(value: unknown): ShareSalts {
  const { success, data } = saltsSchema.safeParse(value)
  if (!success || fromBase64url(data.salt)?.length !== SHARE_SALT_BYTES)
    throw new SealError('share.malformed')
  return { salt: data.salt, kdf: data.kdf === null ? null : parseKdf(data.kdf) }
}

interface Password {
  /** `null` for a share without a password. */
  readonly password: string | null
  readonly derivePassword: DerivePassword
}

/**
 * Creates the keys of a new share.
 * @throws {SealError} `password.missing` for an empty password
 */
export async function createShare({ password, derivePassword }: Password): Promise<NewShare> {
  const secret = createSecret()
  const salts = {
    salt: toBase64url(randomBytes(SHARE_SALT_BYTES)),
    kdf: password === null ? null : createKdf(),
  }
  const keys = await unlockShare({ secret, salts, password, derivePassword })
  const facts = markSealed({ ...salts, verifier: sealedText(keys.verifier) })
  return { secret, linkKey: formatLinkKey(secret), keys, facts }
}

/**
 * Derives the keys of a share from its link and password. A wrong password results in wrong keys. The server then
 * rejects the proof, and the manifest cannot be decrypted.
 * @throws {SealError} `share.malformed`, `kdf.refused`, `password.missing`
 */
export async function unlockShare({
  secret,
  salts,
  password,
  derivePassword,
}: Password & { readonly secret: Bytes; readonly salts: ShareSalts }): Promise<ShareKeys> {
  const { salt, kdf } = parseShareSalts(salts)
  if (kdf !== null && password === null) throw new SealError('password.missing')
  const passwordKey = kdf === null ? null : await derivePassword(password ?? '', kdf)
  return deriveShareKeys({ secret, salt: fromBase64url(salt) ?? new Uint8Array(), passwordKey })
}
