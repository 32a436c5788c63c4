export type SealErrorCode =
  /** The address has no key. */
  | 'key.missing'
  /** The key does not have 43 characters, so it was cut or something was added. */
  | 'key.length'
  /** The key has a character that no key has. */
  | 'key.characters'
  /** The last character of the key is one that no key ends with. */
  | 'key.ending'
  | 'password.missing'
  /** The parameters of the password function are unknown, or ask for too little or too much. */
  | 'kdf.refused'
  /** The salt of the share or the ID of the bundle is malformed. */
  | 'share.malformed'
  /** The manifest was changed, is of another revision or bundle, or the key or the password is another one. */
  | 'manifest.refused'
  | 'manifest.too_large'
  /** The manifest has a version that only newer readers know. */
  | 'manifest.version'
  /** The manifest breaks a rule; `details` names each broken rule. */
  | 'manifest.invalid'
  /** The storage has another number of bytes than the manifest says. */
  | 'object.size'
  /** The header of a part is not one of this format or not that of this part. */
  | 'object.header'
  /** The part has a salt that its sender did not list. */
  | 'object.salt'
  /** A segment was changed or belongs elsewhere. */
  | 'object.segment'
  /** The storage could not be read. The original error is the `cause`. */
  | 'object.unreachable'
  | 'object.too_large'
  /** Some part was not encrypted yet, so the object cannot be described. */
  | 'object.incomplete'
  /** A part was encrypted as often as a manifest can list. The upload has to start again. */
  | 'part.too_many_attempts'
  /** The file has changed since its parts were first encrypted. */
  | 'source.changed'
  /** The range is not one of whole parts. */
  | 'source.misaligned'
  /** The reader of the file returned another number of bytes than asked for. */
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

/** Why something could not be sealed or opened. Its message is for logs; screens have texts for the codes. */
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

/** Returns whether an error says that the stored bytes are not those that were sent, unlike a failed connection. */
export const isTampering = (error: unknown): boolean =>
  error instanceof SealError && TAMPERING.has(error.code)
