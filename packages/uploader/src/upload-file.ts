import { UploadError } from './errors.ts'
import type { ByteSource } from './transport.ts'

/**
 * The file of an upload. Compares fingerprints when the user chooses the file again. A different file can have the same
 * name, size and time, and parts of two files must not be joined.
 */
export class UploadFile<Body> {
  #source: ByteSource<Body> | null
  #fingerprint: string | null
  /** Whether the user has chosen the source again, and the source has not been compared yet. */
  #isNew = false
  #isLearning = false

  /** @param fingerprint fingerprint of the file with which the upload was started, if known */
  constructor(source: ByteSource<Body> | null, fingerprint: string | null) {
    this.#source = source
    this.#fingerprint = fingerprint
  }

  get source(): ByteSource<Body> | null {
    return this.#source
  }

  get fingerprint(): string | null {
    return this.#fingerprint
  }

  provide(source: ByteSource<Body>): void {
    this.#source = source
    this.#isNew = true
    this.#isLearning = false
  }

  get mustCompare(): boolean {
    return this.#isNew && this.#fingerprint !== null
  }

  /**
   * Compares the file that the user has chosen again. Drops a different file, so that the user can choose the right
   * one. A file without a fingerprint counts as equal.
   *
   * @throws {UploadError} `upload.source_changed`
   */
  async compare(onDropped: () => void): Promise<void> {
    const source = this.#source
    const found = await read(source)
    const isSame = found === null || found === this.#fingerprint
    if (source !== this.#source) return
    this.#isNew = false
    if (isSame) return
    this.#source = null
    onDropped()
    throw new UploadError('upload.source_changed')
  }

  /** Computes the fingerprint once, while the parts are being sent. */
  async learn(onLearnt: () => void): Promise<void> {
    if (this.#fingerprint !== null || this.#isLearning || !this.#source?.fingerprint) return
    this.#isLearning = true
    this.#isNew = false
    const source = this.#source
    const found = await read(source)
    if (found === null || source !== this.#source) return
    this.#fingerprint = found
    onLearnt()
  }
}

/** Returns `null` for a file that cannot be read. Sending its parts then fails with a more specific error. */
async function read<Body>(source: ByteSource<Body> | null): Promise<string | null> {
  try {
    return (await source?.fingerprint?.()) ?? null
  } catch {
    return null
  }
}
