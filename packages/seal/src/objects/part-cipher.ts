import { areEqual, type Bytes, concat, mapSome, readU32be, u32be, utf8 } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import { hkdfKey } from '../keys/hkdf.ts'
import { HEADER_BYTES, SEALED_SEGMENT_BYTES, SEGMENT_BYTES, TAG_BYTES } from './geometry.ts'

/** Format of parts. The package does not export these functions, because their callers choose the salt. */

export const PART_SALT_BYTES = 16
const SALT_AT = HEADER_BYTES - PART_SALT_BYTES
const MAGIC = utf8('DLS1')

/** Header of a part: `DLS1`, the number of the part, 8 zero bytes, the salt. */
const partHeader = (part: number, salt: Uint8Array): Bytes =>
  concat(MAGIC, u32be(part), new Uint8Array(8), salt)

/**
 * Returns the salt of a part.
 * @throws {SealError} `object.header`
 */
export function readPartHeader(header: Uint8Array, part: number): Bytes {
  const isHeader =
    header.length === HEADER_BYTES && areEqual(header.subarray(0, 4), MAGIC) && readU32be(header, 8) === 0
  if (!isHeader || readU32be(header, 4) !== part || readU32be(header, 12) !== 0)
    throw new SealError('object.header', { details: [`part ${part}`] })
  return new Uint8Array(header.subarray(SALT_AT))
}

interface PartKey {
  readonly dek: Bytes
  readonly part: number
  readonly salt: Bytes
}

/** Derives the key for one attempt to send a part. */
export const derivePartKey = ({ dek, part, salt }: PartKey, usage: 'encrypt' | 'decrypt') =>
  hkdfKey({ ikm: dek, salt, info: concat(utf8('dropleaf/seal/1 part'), new Uint8Array(1), u32be(part)) }, [
    usage,
  ])

const nonceOf = (index: number, isLast: boolean): Bytes =>
  concat(new Uint8Array(7), u32be(index), new Uint8Array([isLast ? 1 : 0]))

/** Encrypts a part. The salt must be new. Otherwise the same nonces would be used twice with the same key. */
export async function encryptPart({
  dek,
  part,
  salt,
  plain,
  isLast,
}: PartKey & { readonly plain: Bytes; readonly isLast: boolean }): Promise<Bytes> {
  const header = partHeader(part, salt)
  const key = await derivePartKey({ dek, part, salt }, 'encrypt')
  const count = Math.max(1, Math.ceil(plain.length / SEGMENT_BYTES))
  const out = new Uint8Array(HEADER_BYTES + plain.length + count * TAG_BYTES)
  out.set(header)
  await mapSome([...Array(count).keys()], async (index) => {
    const segment = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: nonceOf(index, isLast && index === count - 1), additionalData: header },
      key,
      plain.subarray(index * SEGMENT_BYTES, (index + 1) * SEGMENT_BYTES),
    )
    out.set(new Uint8Array(segment), HEADER_BYTES + index * SEALED_SEGMENT_BYTES)
  })
  return out
}

/**
 * Decrypts a segment.
 * @throws {SealError} `object.segment` if its bytes, its position or its header were changed
 */
export async function decryptSegment({
  key,
  header,
  index,
  isLast,
  sealed,
}: {
  readonly key: CryptoKey
  readonly header: Bytes
  readonly index: number
  readonly isLast: boolean
  readonly sealed: Bytes
}): Promise<Bytes> {
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: nonceOf(index, isLast), additionalData: header },
        key,
        sealed,
      ),
    )
  } catch (error) {
    throw new SealError('object.segment', { cause: error, details: [`segment ${index}`] })
  }
}
