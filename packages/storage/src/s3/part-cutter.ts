const FIRST_BYTES = 64 * 1024

/** Splits the chunks of a body into pieces of given sizes, one at a time. */
export class PartCutter {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #release: (chunk: Buffer) => void
  #rest: Buffer | null = null

  /** @param release called with each chunk that was copied */
  constructor(chunks: AsyncIterable<Buffer>, release: (chunk: Buffer) => void = () => undefined) {
    this.#release = release
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Whether all bytes were taken. Reads ahead by one chunk to determine this. */
  async isAtEnd(): Promise<boolean> {
    if (this.#rest === null) {
      const next = await this.#chunks.next()
      this.#rest = next.done ? null : next.value
    }
    return this.#rest === null
  }

  /**
   * Returns the next `sizeBytes` bytes, or fewer at the end of the body.
   * @param spare memory to use; the result can be a view of this memory. Without it, memory is allocated as bytes
   * arrive.
   */
  async take(sizeBytes: number, spare?: Buffer): Promise<Buffer> {
    let memory = spare ?? Buffer.allocUnsafeSlow(Math.min(sizeBytes, FIRST_BYTES))
    let usedBytes = 0
    while (usedBytes < sizeBytes) {
      const chunk = await this.#chunk(sizeBytes - usedBytes)
      if (chunk === null) break
      if (usedBytes + chunk.length > memory.length) {
        memory = grown(memory.subarray(0, usedBytes), { needBytes: usedBytes + chunk.length, sizeBytes })
      }
      usedBytes += chunk.copy(memory, usedBytes)
      this.#release(chunk)
    }
    return memory.subarray(0, usedBytes)
  }

  /** Like `take`, but as a stream with only one chunk in memory. */
  async *stream(sizeBytes: number): AsyncGenerator<Buffer> {
    let leftBytes = sizeBytes
    while (leftBytes > 0) {
      const chunk = await this.#chunk(leftBytes)
      if (chunk === null) return
      leftBytes -= chunk.length
      yield chunk
    }
  }

  async #chunk(maxBytes: number): Promise<Buffer | null> {
    if (await this.isAtEnd()) return null
    const chunk = this.#rest
    if (chunk === null || chunk.length <= maxBytes) {
      this.#rest = null
      return chunk
    }
    this.#rest = chunk.subarray(maxBytes)
    return chunk.subarray(0, maxBytes)
  }
}

/** Doubles the memory when it is full, so that a small body needs little memory. */
function grown(used: Buffer, { needBytes, sizeBytes }: { needBytes: number; sizeBytes: number }): Buffer {
  const memory = Buffer.allocUnsafeSlow(Math.min(sizeBytes, Math.max(needBytes, used.length * 2)))
  used.copy(memory)
  return memory
}
