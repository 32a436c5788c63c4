import * as z from 'zod/mini'
import { BUNDLE_MANIFEST_MAX_BYTES, MIB, SEALED_PACK_MAX_BYTES } from '../core/limits.ts'
import { rules } from '../core/rules.ts'

/**
 * Sealed bundles. The devices of owners and readers encrypt and decrypt their contents, so the server cannot read what
 * it stores. The format is in docs/sealed-format.md.
 */

/** Version of the format that clients write. Readers read all versions. */
export const SEAL_VERSION = 1

/** Each part of a sealed object starts with this mark and the number of the part. */
export const SEALED_PART_MARK = 'DLS1'
/** Length of the header of a part in bytes. */
export const SEALED_PART_HEADER_BYTES = 32
/** Stored size of a whole segment in bytes. A part is a header and one or more segments. */
export const SEALED_SEGMENT_STORED_BYTES = 262_160

/** Length of the nonce and the tag around the padded JSON of a sealed manifest. */
const SEALED_MANIFEST_OVERHEAD_BYTES = 12 + 16
/** Minimum length of the JSON of a manifest, with its padding. */
const SEALED_MANIFEST_JSON_MIN_BYTES = 512
export const SEALED_MANIFEST_MIN_BYTES = SEALED_MANIFEST_OVERHEAD_BYTES + SEALED_MANIFEST_JSON_MIN_BYTES

/** Base64url of 16 and of 32 bytes. Unused bits of the last character are 0. */
const SALT = /^[\w-]{21}[AQgw]$/
const KEY = /^[\w-]{42}[AEIMQUYcgkosw048]$/
const OWNER_BOX_MAX_LENGTH = 4096
const ARGON2_MEMORY_KIB = { min: 19 * 1024, max: 256 * 1024 }
const ARGON2_PASSES = { min: 1, max: 10 }

const salt = z.string().check(z.regex(SALT, rules.sealSalt))
const key = z.string().check(z.regex(KEY, rules.sealKey))

/** Parameters that derive a key from the password of a sealed bundle. */
export const sealedKdf = z.strictObject({
  name: z.literal('argon2id'),
  /** Memory in KiB. */
  m: z.int().check(z.minimum(ARGON2_MEMORY_KIB.min), z.maximum(ARGON2_MEMORY_KIB.max)),
  /** Number of passes over the memory. */
  t: z.int().check(z.minimum(ARGON2_PASSES.min), z.maximum(ARGON2_PASSES.max)),
  /** Number of lanes. */
  p: z.literal(1),
  salt,
})
export type SealedKdf = z.infer<typeof sealedKdf>

/** Proof that a reader has the key of a link: `T_open` of the format. The server stores its SHA-256. */
export const sealedProof = key

/** Fields with which a client creates a sealed bundle. They never change. */
export const sealInput = {
  /** Version of the format; absent or `null` for a bundle that is not sealed. */
  sealed: z.nullish(z.literal(SEAL_VERSION)),
  /** A sealed bundle requires a salt and a verifier. */
  salt: z.nullish(salt),
  /** `null` for a sealed bundle without a password. */
  kdf: z.nullish(sealedKdf),
  /** Base64url of the SHA-256 of the proof. */
  verifier: z.nullish(key),
  /** Encrypted data with which the owner's devices open the bundle. */
  owner_box: z.nullish(z.string().check(z.minLength(1), z.maxLength(OWNER_BOX_MAX_LENGTH))),
}

/** The public fields of a sealed bundle; all `null` for a bundle that is not sealed. */
export const sealShown = {
  sealed: z.nullable(z.number()),
  salt: z.nullable(z.string()),
  kdf: z.nullable(sealedKdf),
}

/** A sealed manifest in base64. */
export const sealedManifest = z
  .string()
  .check(
    z.maxLength(Math.ceil(BUNDLE_MANIFEST_MAX_BYTES / 3) * 4),
    z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, rules.base64),
  )

/** Whether parts of this size contain whole segments of the format. */
export const isSealedPartSize = (partSizeBytes: number): boolean =>
  partSizeBytes > SEALED_PART_HEADER_BYTES &&
  (partSizeBytes - SEALED_PART_HEADER_BYTES) % SEALED_SEGMENT_STORED_BYTES === 0

/** S3 requires parts of at least 5 MiB, except for the last part of an object. */
export const SEALED_PART_MIN_BYTES = 5 * MIB

const SEGMENT_TAG_BYTES = 16
const SEGMENT_PLAIN_BYTES = SEALED_SEGMENT_STORED_BYTES - SEGMENT_TAG_BYTES
/** Minimum number of segments in each part but the last. */
const PART_SEGMENTS_MIN = 32

/**
 * Returns the maximum stored size of an object for a given limit on the size of files. The server sees only encrypted
 * sizes. So the result is the encrypted size of the largest allowed file, or of a full object of small files if that is
 * larger.
 */
export function sealedSizeLimit(fileSizeLimit: number): number {
  const plainBytes = Math.max(fileSizeLimit, SEALED_PACK_MAX_BYTES)
  const segments = Math.ceil(plainBytes / SEGMENT_PLAIN_BYTES)
  const parts = Math.ceil(segments / PART_SEGMENTS_MIN)
  return plainBytes + segments * SEGMENT_TAG_BYTES + parts * SEALED_PART_HEADER_BYTES
}
