import type { ByteSource } from '@dropleaf/uploader'
import { type Bytes, concat, toBase64url } from '../core/bytes.ts'
import { SealError } from '../core/errors.ts'
import { padme } from '../core/padme.ts'
import { markSealed, type Sealed } from '../core/sealed.ts'
import type { ManifestObject } from '../manifest/manifest.schema.ts'
import { findGeometry, type Geometry, type PartPlace, placeOfPart, planObject } from '../objects/geometry.ts'
import { sealPart } from '../objects/seal-part.ts'
import {
  createAttemptLog,
  type EncryptingState,
  newState,
  parseState,
  type PartAttempt,
} from './encrypting-state.ts'
import type { PlainReader } from './plain-reader.ts'

/** Metadata of an object that the server needs before the upload. */
export interface ObjectFacts {
  /** Size in the storage. */
  readonly storedBytes: number
  /** Size in the storage of each part but the last. */
  readonly partSizeBytes: number
  readonly partCount: number
}

/** Source of an upload that encrypts each requested range, and retains no encrypted bytes. */
export interface EncryptingSource extends ByteSource<Sealed<Bytes>> {
  readonly facts: Sealed<ObjectFacts>
  /**
   * Encrypts one or more whole parts of the stored object. Each call uses new keys.
   * @throws {SealError} `source.changed`, `source.misaligned`, `source.unreadable`, `part.too_many_attempts`
   */
  slice(firstByte: number, endByte: number): Promise<Sealed<Bytes>>
  /** Returns the state that must be stored to resume the upload. */
  state(): EncryptingState
  /**
   * Returns the object's entry in the manifest.
   * @throws {SealError} `object.incomplete` if a part was never encrypted
   */
  describe(n: number): ManifestObject
}

interface Setting {
  readonly plain: PlainReader
  /**
   * Stores an attempt. The source awaits this call before it returns the bytes. Otherwise, a part could arrive just
   * before a crash with a salt that no manifest lists. Readers would refuse such a part. `withAttempt` computes the
   * current state from the initial `state` and all attempts.
   */
  readonly onAttempt?: ((attempt: PartAttempt) => void | Promise<void>) | undefined
}

interface NewSetting extends Setting {
  /** Whether the object is padded with zero bytes, so that the storage does not see the exact size. */
  readonly hidesSize?: boolean
  /** Overrides the default size of parts. */
  readonly segmentsPerPart?: number
}

/**
 * Encrypts a file for its first upload, with a new key.
 * @throws {SealError} `object.too_large`
 */
export function createEncryptingSource({
  plain,
  onAttempt,
  hidesSize = false,
  segmentsPerPart,
}: NewSetting): EncryptingSource {
  const size = plain.sizeBytes
  const geometry = planObject({ plainBytes: hidesSize ? padme(size) : size, segmentsPerPart })
  const { storedBytes: stored, segmentsPerPart: k, partCount } = geometry
  return encrypt({ plain, onAttempt, geometry, start: newState({ size, stored, k, partCount }) })
}

/**
 * Resumes the upload of a file that was chosen again.
 * @throws {SealError} `state.invalid`, or `source.changed` if the file has another size
 */
export function resumeEncryptingSource({
  plain,
  onAttempt,
  state,
}: Setting & { readonly state: unknown }): EncryptingSource {
  const start = parseState(state)
  const geometry = findGeometry({ storedBytes: start.stored, segmentsPerPart: start.k })
  if (geometry === null) throw new SealError('state.invalid')
  if (start.size !== plain.sizeBytes) throw new SealError('source.changed')
  return encrypt({ plain, onAttempt, geometry, start })
}

/**
 * Returns a stored state with one more attempt.
 * @throws {SealError} `source.changed`, `part.too_many_attempts`
 */
export function withAttempt(state: EncryptingState, attempt: PartAttempt): EncryptingState {
  const log = createAttemptLog(state)
  log.add(attempt)
  return log.state()
}

/** Returns the parts from `firstByte` to `endByte`. @throws {SealError} `source.misaligned` */
function partsBetween(geometry: Geometry, firstByte: number, endByte: number): PartPlace[] {
  const first = firstByte / geometry.storedPartBytes
  const end = Math.ceil(endByte / geometry.storedPartBytes)
  const isWhole = endByte === Math.min(geometry.storedBytes, end * geometry.storedPartBytes)
  if (!Number.isInteger(first) || first < 0 || end <= first || !isWhole)
    throw new SealError('source.misaligned')
  return Array.from({ length: end - first }, (_, at) => placeOfPart(geometry, first + at))
}

/** Reads the plain bytes of a part. Bytes after the end of the file are zero. */
async function readPlain(plain: PlainReader, { plainFirst, plainEnd }: PartPlace): Promise<Bytes> {
  const firstByte = Math.min(plainFirst, plain.sizeBytes)
  const endByte = Math.min(plainEnd, plain.sizeBytes)
  const bytes = endByte > firstByte ? await plain.read({ firstByte, endByte }) : new Uint8Array()
  if (bytes.length !== endByte - firstByte) throw new SealError('source.unreadable')
  return bytes.length === plainEnd - plainFirst
    ? bytes
    : concat(bytes, new Uint8Array(plainEnd - plainFirst - bytes.length))
}

function encrypt({
  plain,
  onAttempt,
  geometry,
  start,
}: Setting & { readonly geometry: Geometry; readonly start: EncryptingState }): EncryptingSource {
  const log = createAttemptLog(start)
  async function attempt(place: PartPlace): Promise<Sealed<Bytes>> {
    const { part, isLast } = place
    const bytes = await readPlain(plain, place)
    const digest = toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
    log.check({ part, digest })
    const sealed = await sealPart({ dek: log.dek, part, plain: bytes, isLast })
    const done = { part, digest, salt: toBase64url(sealed.salt) }
    log.add(done)
    await onAttempt?.(done)
    return sealed.bytes
  }
  const { fingerprint } = plain
  return {
    sizeBytes: geometry.storedBytes,
    facts: markSealed({
      storedBytes: geometry.storedBytes,
      partSizeBytes: geometry.storedPartBytes,
      partCount: geometry.partCount,
    }),
    async slice(firstByte, endByte) {
      const places = partsBetween(geometry, firstByte, endByte)
      const [only] = places
      if (only && places.length === 1) return attempt(only)
      const out = new Uint8Array(endByte - firstByte)
      // The result counts as sealed, because it consists only of sealed pieces.
      for (const place of places) out.set(await attempt(place), place.storedFirst - firstByte)
      return markSealed(out)
    },
    state: () => log.state(),
    describe: (n) => ({
      n,
      dek: start.dek,
      size: start.size,
      stored: start.stored,
      k: start.k,
      salts: log.salts(),
    }),
    ...(fingerprint && { fingerprint: () => fingerprint() }),
  }
}
