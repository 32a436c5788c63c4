import type { FileHandle } from 'node:fs/promises'
import { OutgoingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { callbackify } from 'node:util'

/** What other streams are given at a time. */
const CHUNK_BYTES = 256 * 1024
/** What a connection is given at a time, again and again from the same memory. */
const PIECE_BYTES = 512 * 1024

export interface FileSpan {
  readonly firstByte: number
  readonly lastByte: number
}

/**
 * Bytes of an open file, which is closed after them. Piped into an HTTP message they take one buffer from the first to the
 * last: new ones for each piece cost a gigabyte several times what the reading and the sending do.
 */
export class FileBody extends Readable {
  readonly #handle: FileHandle
  readonly #lastByte: number
  #nextByte: number

  constructor(
    handle: FileHandle,
    { firstByte, lastByte }: FileSpan,
    o: { signal?: AbortSignal | undefined } = {},
  ) {
    super({ highWaterMark: CHUNK_BYTES, ...(o.signal && { signal: o.signal }) })
    this.#handle = handle
    this.#nextByte = firstByte
    this.#lastByte = lastByte
  }

  override _read(): void {
    void this.#readOn()
  }

  async #readOn(): Promise<void> {
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, this.#leftBytes))
      const bytesRead = await this.#fill(buffer)
      if (!this.destroyed) this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead))
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  get #leftBytes(): number {
    return this.#lastByte + 1 - this.#nextByte
  }

  /** @returns how many bytes came: 0 at the end, or where the file became shorter. */
  async #fill(buffer: Buffer): Promise<number> {
    const length = Math.min(buffer.length, this.#leftBytes)
    if (length === 0) return 0
    const { bytesRead } = await this.#handle.read(buffer, 0, length, this.#nextByte)
    this.#nextByte += bytesRead
    return bytesRead
  }

  /** A message has let go of a piece when it calls back; other streams may pass on what they were given. */
  override pipe<T extends NodeJS.WritableStream>(destination: T, options: { end?: boolean } = {}): T {
    const isFirst = this.readableFlowing === null
    if (!isFirst || !(destination instanceof OutgoingMessage)) return super.pipe(destination, options)
    void this.#send(destination, options)
    return destination
  }

  async #send(message: OutgoingMessage, { end = true }: { end?: boolean }): Promise<void> {
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.#leftBytes))
      for (let bytes = await this.#fill(buffer); bytes > 0; bytes = await this.#fill(buffer)) {
        if (this.destroyed) return
        if (!(await passOn(message, buffer.subarray(0, bytes)))) {
          this.destroy()
          return
        }
      }
    } catch (error) {
      this.destroy(error as Error)
      return
    }
    this.push(null)
    this.resume()
    if (end) message.end()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const close = callbackify(() => this.#handle.close())
    close((failure) => done(error ?? failure))
  }
}

/**
 * Of a message whose connection is gone nothing may be heard any more: whoever pipes into it destroys the body then.
 *
 * @returns whether it went: a client that hangs up is no fault of the file.
 */
function passOn(message: OutgoingMessage, piece: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    message.write(piece, (error) => {
      resolve(!error)
    })
  })
}
