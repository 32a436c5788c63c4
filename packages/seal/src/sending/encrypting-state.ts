import * as z from 'zod/mini'
import { type Bytes, fromBase64url, randomBytes, toBase64url } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import { findGeometry } from '../objects/geometry.ts'
import { formatSalts, parseSalts, PART_ATTEMPTS_MAX } from '../objects/salts.ts'

const DEK_BYTES = 32

const stateSchema = z.strictObject({
  v: z.literal(1),
  dek: z.string().check(z.refine((text) => fromBase64url(text)?.length === DEK_BYTES)),
  /** Plain bytes without padding. */
  size: z.int().check(z.minimum(0)),
  stored: z.int().check(z.minimum(0)),
  k: z.int().check(z.minimum(1)),
  /**
   * For each part: salts of its attempts, and base64url of the SHA-256 of its plain bytes; `null` if never encrypted.
   */
  parts: z.array(z.nullable(z.strictObject({ salts: z.array(z.string()), digest: z.string() }))),
})

/**
 * State that must be stored to resume an upload. It contains the key of the object, so store it where nobody but the
 * sender can read it.
 */
export type EncryptingState = z.infer<typeof stateSchema>

/** One encryption of one part. */
export interface PartAttempt {
  readonly part: number
  readonly salt: string
  readonly digest: string
}

/** Records the attempts for the parts of one object. */
export interface AttemptLog {
  readonly dek: Bytes
  /** Adds an attempt, after the same {@link check}. */
  add(attempt: PartAttempt): void
  /**
   * Throws unless a part may be sent.
   * @throws {SealError} `source.changed` if the part had other bytes in an earlier attempt; `part.too_many_attempts`
   */
  check(attempt: Pick<PartAttempt, 'part' | 'digest'>): void
  /** @throws {SealError} `object.incomplete` unless each part has an attempt */
  salts(): string
  state(): EncryptingState
}

export const newState = ({
  size,
  stored,
  k,
  partCount,
}: Record<'size' | 'stored' | 'k' | 'partCount', number>) =>
  ({
    v: 1,
    dek: toBase64url(randomBytes(DEK_BYTES)),
    size,
    stored,
    k,
    parts: Array.from({ length: partCount }, () => null),
  }) satisfies EncryptingState

/**
 * Checks a stored state.
 * @throws {SealError} `state.invalid`
 */
export function parseState(value: unknown): EncryptingState {
  const { success, data } = stateSchema.safeParse(value)
  if (!success) throw new SealError('state.invalid')
  const geometry = findGeometry({ storedBytes: data.stored, segmentsPerPart: data.k })
  const areValid = data.parts.every((part) => part === null || parseSalts(part.salts.join('')) !== null)
  if (geometry === null || geometry.plainBytes < data.size || geometry.partCount !== data.parts.length)
    throw new SealError('state.invalid')
  if (!areValid) throw new SealError('state.invalid')
  return data
}

export function createAttemptLog(start: EncryptingState): AttemptLog {
  const parts = start.parts.map((part) => part && { digest: part.digest, salts: [...part.salts] })
  const check: AttemptLog['check'] = ({ part, digest }) => {
    const before = parts[part]
    if (before && before.digest !== digest)
      throw new SealError('source.changed', { details: [`part ${part}`] })
    if (before && before.salts.length >= PART_ATTEMPTS_MAX)
      throw new SealError('part.too_many_attempts', { details: [`part ${part}`] })
  }
  return {
    dek: fromBase64url(start.dek) ?? new Uint8Array(),
    check,
    add({ part, salt, digest }) {
      check({ part, digest })
      const before = parts[part]
      if (before) before.salts.push(salt)
      else parts[part] = { digest, salts: [salt] }
    },
    salts: () =>
      formatSalts(
        parts.map((part, index) => {
          if (part === null) throw new SealError('object.incomplete', { details: [`part ${index}`] })
          return part.salts
        }),
      ),
    state: () => ({
      ...start,
      parts: parts.map((part) => part && { digest: part.digest, salts: [...part.salts] }),
    }),
  }
}
