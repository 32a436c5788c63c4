import type { FileHandle } from 'node:fs/promises'
import { callbackify } from 'node:util'
import { PulledBody } from '../pulled-body.ts'

/** Size of a chunk that is allocated separately. */
const CHUNK_BYTES = 256 * 1024
/** Size of each of the two reused buffers. One is filled while the other is sent. */
const PIECE_BYTES = 512 * 1024

export interface FileSpan {
  readonly firstByte: number
  readonly lastByte: number
}

/** Streams bytes of an open file, then closes the file. */
export class FileBody extends PulledBody {
  readonly #handle: FileHandle
  readonly #lastByte: number
  #nextByte: number
  #free: Buffer | null = null
  #taken: Buffer | null = null
  #ahead: Promise<Buffer> | null = null

  constructor(
    handle: FileHandle,
    { firstByte, lastByte }: FileSpan,
    o: { signal?: AbortSignal | undefined } = {},
  ) {
    super(o)
    this.#handle = handle
    this.#nextByte = firstByte
    this.#lastByte = lastByte
  }

  /** Returns an empty buffer at the end, or if the file became shorter. */
  protected override async pull(isKept: boolean): Promise<Buffer> {
    if (isKept) return this.#read(Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, this.#leftBytes)))
    const bytes = await (this.#ahead ?? this.#readPiece())
    this.#ahead = bytes.length === 0 || this.#leftBytes === 0 ? null : this.#readPiece()
    // The next `pull` awaits this promise and gets its error.
    this.#ahead?.catch(() => undefined)
    return bytes
  }

  get #leftBytes(): number {
    return this.#lastByte + 1 - this.#nextByte
  }

  #readPiece(): Promise<Buffer> {
    const memory = this.#free ?? Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.#leftBytes))
    this.#free = this.#taken
    this.#taken = memory
    return this.#read(memory)
  }

  async #read(memory: Buffer): Promise<Buffer> {
    const length = Math.min(memory.length, this.#leftBytes)
    if (length === 0) return memory.subarray(0, 0)
    const { bytesRead } = await this.#handle.read(memory, 0, length, this.#nextByte)
    this.#nextByte += bytesRead
    return memory.subarray(0, bytesRead)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const close = callbackify(() => this.#handle.close())
    close((failure) => done(error ?? failure))
  }
}
