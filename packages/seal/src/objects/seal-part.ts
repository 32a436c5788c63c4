import { type Bytes, randomBytes } from '../core/bytes.ts'
import { markSealed, type Sealed } from '../core/sealed.ts'
import { encryptPart, PART_SALT_BYTES } from './part-cipher.ts'

export interface SealedPart {
  readonly bytes: Sealed<Bytes>
  readonly salt: Bytes
}

/** Encrypts a part for one attempt to send it. Each call uses a new salt, so no nonce is used twice with a key. */
export async function sealPart(part: {
  readonly dek: Bytes
  readonly part: number
  readonly plain: Bytes
  /** Whether the part is the final part of its object. */
  readonly isLast: boolean
}): Promise<SealedPart> {
  const salt = randomBytes(PART_SALT_BYTES)
  return { bytes: markSealed(await encryptPart({ ...part, salt })), salt }
}
