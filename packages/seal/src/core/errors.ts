export type SealErrorCode =
  /** No key was given. */
  | 'key.missing'
  /** The key does not have 43 characters: it was truncated or extended. */
  | 'key.length'
  /** The key contains an invalid character. */
  | 'key.characters'
  /** The last character of the key is not possible at the end of a key. */
  | 'key.ending'
  | 'password.missing'
  /** The parameters of the password function are unknown or outside their bounds. */
  | 'kdf.refused'
  /** The salt of the share or the ID of the bundle is malformed, or the revision is not a valid number. */
  | 'share.malformed'
  /**
   * The manifest cannot be decrypted: it was changed, belongs to another revision or bundle, or the key or the password
   * is wrong.
   */
  | 'manifest.refused'
  | 'manifest.too_large'
  /** The manifest has a version that only newer readers support. */
  | 'manifest.version'
  /** The manifest breaks a rule; `details` names up to 20 broken rules. */
  | 'manifest.invalid'
  /**
   * The size of the object in the storage differs from the size in the manifest, or the storage returned a different
   * number of bytes than requested.
   */
  | 'object.size'
  /** The header of a part is invalid, or belongs to another part. */
  | 'object.header'
  /** The part has a salt that its sender did not list. */
  | 'object.salt'
  /** A segment was changed, or belongs to another position. */
  | 'object.segment'
  /** The storage could not be read. The original error is the `cause`. */
  | 'object.unreachable'
  | 'object.too_large'
  /** A part has never been encrypted, so the object cannot be added to a manifest. */
  | 'object.incomplete'
  /** A part was encrypted as many times as a manifest can list. The upload has to start again. */
  | 'part.too_many_attempts'
  /** The file has changed since its upload began. */
  | 'source.changed'
  /** The range does not consist of whole parts. */
  | 'source.misaligned'
  /** The reader of the file returned a different number of bytes than requested. */
  | 'source.unreadable'
  /** The saved state of an upload is malformed. */
  | 'state.invalid'

const TAMPERING: ReadonlySet<SealErrorCode> = new Set([
  'manifest.refused',
  'object.size',
  'object.header',
  'object.salt',
  'object.segment',
])

/** Error of encryption or decryption. The message is for logs; user interfaces have texts for the codes. */
export class SealError extends Error {
  override readonly name = 'SealError'
  readonly code: SealErrorCode
  readonly details: readonly string[]

  constructor(
    code: SealErrorCode,
    { cause, details = [] }: { cause?: unknown; details?: readonly string[] } = {},
  ) {
    super([code, ...details].join(' '), { cause })
    this.code = code
    this.details = details
  }
}

/**
 * Returns whether an error shows that the stored bytes differ from the sent bytes. A failed connection does not count.
 * For `manifest.refused`, the cause can also be a wrong key or password.
 */
export const isTampering = (error: unknown): boolean =>
  error instanceof SealError && TAMPERING.has(error.code)
