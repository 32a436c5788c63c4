import type { FileHandle } from 'node:fs/promises'
import { callbackify } from 'node:util'
import { PulledBody } from '../pulled-body.ts'

/** What is read into memory of its own. */
const CHUNK_BYTES = 256 * 1024
/** What is read again and again into the same memory. */
const PIECE_BYTES = 512 * 1024

export interface FileSpan {
  readonly firstByte: number
  readonly lastByte: number
}

/** Bytes of an open file, which is closed after them. */
export class FileBody extends PulledBody {
  readonly #handle: FileHandle
  readonly #lastByte: number
  #nextByte: number
  #memory: Buffer | null = null

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

  /** Nothing comes at the end, or where the file became shorter. */
  protected override async pull(isKept: boolean): Promise<Buffer> {
    const leftBytes = this.#lastByte + 1 - this.#nextByte
    if (leftBytes === 0) return Buffer.alloc(0)
    const memory = isKept
      ? Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, leftBytes))
      : (this.#memory ??= Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, leftBytes)))
    const length = Math.min(memory.length, leftBytes)
    const { bytesRead } = await this.#handle.read(memory, 0, length, this.#nextByte)
    this.#nextByte += bytesRead
    return memory.subarray(0, bytesRead)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const close = callbackify(() => this.#handle.close())
    close((failure) => done(error ?? failure))
  }
}
