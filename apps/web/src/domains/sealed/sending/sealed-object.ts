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

/** Stores an attempt. The caller waits for the result before sending the encrypted bytes. */
export type KeepAttempt = (attempt: PartAttempt) => Promise<void>

export type SealedSource = ByteSource<Sealed<Bytes>>

/** Size of an object and of its parts in the storage. */
export interface ObjectPlace {
  readonly storedBytes: number
  readonly partSizeBytes: number
}

/** Returns a reader that has a size but no bytes, for functions that need only the size. */
const readerOf = (sizeBytes: number) => ({
  sizeBytes,
  read: () => Promise.reject(new SealError('source.unreadable')),
})

/** Returns the state of a new object, with a new key. No bytes of the object are encrypted yet. */
export const newObjectState = (sizeBytes: number): EncryptingState =>
  createEncryptingSource({ plain: readerOf(sizeBytes) }).state()

/** One object of an encrypted bundle: its key, and the parts that were sent. */
export class SealedObject {
  readonly #id: string
  /** Id under which the workers store the current files. */
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

  /** Whether this client has created the part. Readers reject a part whose salt is not listed. */
  hasPart(part: number): boolean {
    return (this.#state.parts[part] ?? null) !== null
  }

  /** Returns a source of the encrypted bytes of all files, in order. Replaces the files of an earlier call. */
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

  /** Call when no more bytes will be sent. */
  close(): void {
    closeInWorkers(this.#opened)
  }
}
