import { OutgoingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Number of bytes to buffer for destinations other than HTTP messages. */
const CHUNK_BYTES = 256 * 1024

/**
 * A stream that produces bytes on demand. When piped into an HTTP message, the stream reuses or frees the memory of a
 * chunk that was sent, because new memory costs several times as much as reading and sending the bytes.
 */
export abstract class PulledBody extends Readable {
  constructor({ signal }: { signal?: AbortSignal | undefined } = {}) {
    super({ highWaterMark: CHUNK_BYTES, ...(signal && { signal }) })
  }

  /**
   * Returns the next bytes, or an empty buffer at the end. Calls never overlap.
   * @param isKept whether the bytes need their own memory; otherwise the next call can reuse or free it
   */
  protected abstract pull(isKept: boolean): Promise<Buffer>

  override _read(): void {
    void this.#readOn()
  }

  async #readOn(): Promise<void> {
    try {
      const bytes = await this.pull(true)
      if (!this.destroyed) this.push(bytes.length === 0 ? null : bytes)
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  /**
   * Reuses buffers only for HTTP messages, which no longer need a chunk when the write callback runs. Other streams
   * might pass the chunk on, so each of their chunks gets its own memory.
   */
  override pipe<T extends NodeJS.WritableStream>(destination: T, options: { end?: boolean } = {}): T {
    const isFirst = this.readableFlowing === null
    if (!isFirst || !(destination instanceof OutgoingMessage)) return super.pipe(destination, options)
    void this.#send(destination, options)
    return destination
  }

  async #send(message: OutgoingMessage, { end = true }: { end?: boolean }): Promise<void> {
    try {
      for (let bytes = await this.pull(false); bytes.length > 0; bytes = await this.pull(false)) {
        if (this.destroyed) return
        if (await passOn(message, bytes)) continue
        this.destroy()
        return
      }
    } catch (error) {
      this.destroy(error as Error)
      return
    }
    if (this.destroyed) return
    this.push(null)
    this.resume()
    if (end) message.end()
  }
}

/**
 * Writes a chunk. A message whose connection is closed might never run the callback. The code that pipes into the
 * message then destroys the body.
 * @returns whether the chunk was sent; a client that disconnects is not an error of the body
 */
function passOn(message: OutgoingMessage, piece: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    message.write(piece, (error) => {
      resolve(!error)
    })
  })
}
