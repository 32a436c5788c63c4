import type { Readable } from 'node:stream'
import { free } from '../chunk-memory.ts'
import { StorageError } from '../errors.ts'
import { PulledBody } from '../pulled-body.ts'
import { translate } from './errors.ts'

interface BodyWatch {
  /** Completes "The storage failed to …". */
  what: string
  /** Longest time without data while a reader waits for bytes. Pauses of the reader do not count. */
  timeoutMs: number
  signal: AbortSignal | undefined
  /** Requests the rest of the object. Called after the bytes of the first response have arrived. */
  rest?: (() => Promise<Readable>) | undefined
}

/** Number of bytes to read ahead. Without reading ahead, a reader gets a third of the throughput. */
const AHEAD_BYTES = 256 * 1024

/**
 * Returns the body of a response, with failures converted to `StorageError`. Destroying the body closes the connection.
 */
export const readBody = (answer: Readable, watch: BodyWatch): Readable => new ReceivedBody(answer, watch)

class ReceivedBody extends PulledBody {
  readonly #watch: BodyWatch
  readonly #chunks: Buffer[] = []
  #source: Readable
  #aheadBytes = 0
  #isOver = false
  /** The chunk that the reader uses until it requests the next chunk. */
  #lent: Buffer | null = null
  #wake: (() => void) | null = null

  constructor(answer: Readable, watch: BodyWatch) {
    super()
    this.#watch = watch
    this.#source = answer
    watch.signal?.addEventListener('abort', this.#stop, { once: true })
    this.#follow(answer, watch.rest)
    answer.pause()
  }

  protected override async pull(isKept: boolean): Promise<Buffer> {
    if (this.#lent) free(this.#lent)
    this.#lent = null
    if (this.#chunks.length === 0 && !this.#isOver && !this.destroyed) await this.#nextChunk()
    const chunk = this.#chunks.shift() ?? Buffer.alloc(0)
    this.#aheadBytes -= chunk.length
    if (this.#aheadBytes < AHEAD_BYTES) this.#source.resume()
    if (!isKept) this.#lent = chunk
    return chunk
  }

  #nextChunk(): Promise<void> {
    const { what, timeoutMs } = this.#watch
    const silence = setTimeout(() => {
      this.destroy(
        new StorageError('storage.unavailable', `The storage failed to ${what}: no bytes arrived.`),
      )
    }, timeoutMs).unref()
    this.#source.resume()
    return new Promise((resolve) => {
      this.#wake = () => {
        clearTimeout(silence)
        this.#wake = null
        resolve()
      }
    })
  }

  #follow(source: Readable, next: BodyWatch['rest']): void {
    this.#source = source
    source.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#aheadBytes += chunk.length
      if (this.#aheadBytes >= AHEAD_BYTES) source.pause()
      this.#wake?.()
    })
    source.on('end', () => {
      if (next) void this.#goOn(next)
      else this.#end()
    })
    source.on('error', this.#fail)
    source.on('close', () => {
      if (!source.readableEnded) this.#fail(new Error('The connection closed early.'))
    })
  }

  async #goOn(next: () => Promise<Readable>): Promise<void> {
    try {
      const source = await next()
      if (this.destroyed) source.destroy()
      else this.#follow(source, undefined)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #end(): void {
    this.#isOver = true
    this.#wake?.()
  }

  readonly #fail = (error: Error): void => {
    this.destroy(translate(error, this.#watch.what))
  }

  readonly #stop = (): void => {
    const reason: unknown = this.#watch.signal?.reason
    this.destroy(reason instanceof Error ? reason : new Error('Aborted.'))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#watch.signal?.removeEventListener('abort', this.#stop)
    this.#source.destroy()
    this.#wake?.()
    done(error)
  }
}
