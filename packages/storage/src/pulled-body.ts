import { OutgoingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** What other streams than connections are given at a time. */
const CHUNK_BYTES = 256 * 1024

/**
 * Bytes that come when they are asked for. Piped into an HTTP message they may take one buffer from the first to the last: new
 * ones for each piece cost a gigabyte several times what the reading and the sending do.
 */
export abstract class PulledBody extends Readable {
  constructor({ signal }: { signal?: AbortSignal | undefined } = {}) {
    super({ highWaterMark: CHUNK_BYTES, ...(signal && { signal }) })
  }

  /**
   * The next bytes; none at the end. Never asked for the next ones before these have come.
   * @param isKept whether they need memory of their own. Otherwise they are let go of before the next ones are asked for.
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

  /** A message has let go of a piece when it calls back; other streams may pass on what they were given. */
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
 * Of a message whose connection is gone nothing may be heard any more: whoever pipes into it destroys the body then.
 *
 * @returns whether it went: a client that hangs up is no fault of the body.
 */
function passOn(message: OutgoingMessage, piece: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    message.write(piece, (error) => {
      resolve(!error)
    })
  })
}
