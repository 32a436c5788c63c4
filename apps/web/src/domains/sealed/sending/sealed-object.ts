import {
  type Bytes,
  createEncryptingSource,
  type EncryptingState,
  findGeometry,
  type Geometry,
  joinReaders,
  type ManifestObject,
  type PartAttempt,
  resumeEncryptingSource,
  SealError,
  type Sealed,
  withAttempt,
} from '@dropleaf/seal'
import type { ByteSource } from '@dropleaf/uploader'
import { fingerprintOf } from '../../transfers/uploads/fingerprint.ts'
import { fileReader } from './part-service.ts'
import { closeInWorkers, sealInWorker } from './part-workers.ts'

/** Stores an attempt. It is awaited before the encrypted bytes leave. */
export type KeepAttempt = (attempt: PartAttempt) => Promise<void>

export type SealedSource = ByteSource<Sealed<Bytes>>

/** Size of an object and of its parts in the storage. */
export interface ObjectPlace {
  readonly storedBytes: number
  readonly partSizeBytes: number
}

/** Stands for the bytes of an object where only their number matters. */
const readerOf = (sizeBytes: number) => ({
  sizeBytes,
  read: () => Promise.reject(new SealError('source.unreadable')),
})

/** Returns the state of an object whose bytes were never encrypted: a new key. */
export const newObjectState = (sizeBytes: number): EncryptingState =>
  createEncryptingSource({ plain: readerOf(sizeBytes) }).state()

/** One object of an encrypted bundle: its key, and what was sent of it. */
export class SealedObject {
  readonly #id: string
  /** Name of the current files in the workers. */
  #opened = ''
  #openings = 0
  readonly #keepAttempt: KeepAttempt
  readonly #geometry: Geometry
  #state: EncryptingState

  /**
   * @param id unique in this tab
   * @throws {SealError} `state.invalid`
   */
  constructor(id: string, state: EncryptingState, keepAttempt: KeepAttempt) {
    const geometry = findGeometry({ storedBytes: state.stored, segmentsPerPart: state.k })
    if (geometry === null) throw new SealError('state.invalid')
    this.#id = id
    this.#state = state
    this.#geometry = geometry
    this.#keepAttempt = keepAttempt
  }

  get state(): EncryptingState {
    return this.#state
  }

  get place(): ObjectPlace {
    const { storedBytes, storedPartBytes } = this.#geometry
    return { storedBytes, partSizeBytes: storedPartBytes }
  }

  /** Whether this client made the part. Readers refuse a part without a listed salt. */
  hasPart(part: number): boolean {
    return (this.#state.parts[part] ?? null) !== null
  }

  /** The encrypted bytes of the files, which are behind each other. Replaces the files of an earlier call. */
  sourceOf(files: readonly Blob[]): SealedSource {
    this.close()
    this.#openings += 1
    const opened = `${this.#id} ${this.#openings}`
    this.#opened = opened
    const readers = files.map((file) => ({ ...fileReader(file), fingerprint: () => fingerprintOf(file) }))
    const { fingerprint } = joinReaders(readers)
    return {
      sizeBytes: this.#geometry.storedBytes,
      slice: (firstByte, endByte) => this.#slice({ opened, files }, { firstByte, endByte }),
      ...(fingerprint && { fingerprint }),
    }
  }

  async #slice(
    { opened, files }: { opened: string; files: readonly Blob[] },
    range: { firstByte: number; endByte: number },
  ): Promise<Sealed<Bytes>> {
    const part = Math.floor(range.firstByte / this.#geometry.storedPartBytes)
    const { bytes, attempts } = await sealInWorker(opened, { files, state: this.#state }, { part, ...range })
    for (const attempt of attempts) {
      this.#state = withAttempt(this.#state, attempt)
      await this.#keepAttempt(attempt)
    }
    return bytes
  }

  /** @throws {SealError} `object.incomplete` */
  describe(n: number): ManifestObject {
    return resumeEncryptingSource({ plain: readerOf(this.#state.size), state: this.#state }).describe(n)
  }

  /** Call when nothing more is sent. */
  close(): void {
    closeInWorkers(this.#opened)
  }
}
