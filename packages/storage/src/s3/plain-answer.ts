import { connect, type Socket } from 'node:net'
import { StorageError } from '../errors.ts'
import { PulledBody } from '../pulled-body.ts'
import { translate } from './errors.ts'
import { headLines, type Head, HEAD_MAX_BYTES, isHeadIn, parseHead } from './plain-head.ts'

/** Memory of one answer, which everything that comes passes through. */
const PIECE_BYTES = 512 * 1024

/** An answer of HTTP/1.1 to one GET, whose size is known. */
export interface PlainAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** @param what completes "The storage failed to …". Destroying it closes the connection. */
  readonly body: (what: string) => PulledBody
  readonly cancel: () => void
}

export interface PlainCall {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Longest silence while somebody waits for bytes. A reader that rests may do so for ever. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** What comes over one connection, read into the same memory again and again. */
class Line {
  readonly #socket: Socket
  readonly #timeoutMs: number
  #waiting: PromiseWithResolvers<Buffer> | null = null
  #failure: Error | null = null

  constructor({ host, port, timeoutMs }: PlainCall) {
    this.#timeoutMs = timeoutMs
    this.#socket = connect({
      host,
      port,
      onread: {
        buffer: Buffer.allocUnsafeSlow(PIECE_BYTES),
        callback: (bytes, memory) => {
          this.#waiting?.resolve(Buffer.from(memory.buffer, memory.byteOffset, bytes))
          // Until they are asked for, the next ones stay with the system.
          return false
        },
      },
    })
    this.#socket.on('error', (error) => this.close(error))
    this.#socket.on('close', () => this.close(new Error('The connection closed early.')))
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  /** The next bytes, at least one, until the ones after are asked for. */
  async next(): Promise<Buffer> {
    if (this.#failure) throw this.#failure
    const waiting = Promise.withResolvers<Buffer>()
    this.#waiting = waiting
    const timer = setTimeout(() => {
      this.close(new StorageError('storage.unavailable', 'The storage fell silent: no bytes came.'))
    }, this.#timeoutMs).unref()
    this.#socket.resume()
    try {
      return await waiting.promise
    } finally {
      clearTimeout(timer)
      this.#waiting = null
    }
  }

  close(reason: Error): void {
    this.#failure ??= reason
    this.#waiting?.reject(this.#failure)
    this.#socket.destroy()
  }
}

/** A body of known size behind its head. */
class LineBody extends PulledBody {
  readonly #line: Line
  readonly #what: string
  #first: Buffer
  #leftBytes: number

  constructor(line: Line, { first, sizeBytes, what }: { first: Buffer; sizeBytes: number; what: string }) {
    super()
    this.#line = line
    this.#what = what
    this.#first = first
    this.#leftBytes = sizeBytes
  }

  protected override async pull(isKept: boolean): Promise<Buffer> {
    if (this.#leftBytes === 0) return Buffer.alloc(0)
    try {
      const isBehindHead = this.#first.length > 0
      const came = isBehindHead ? this.#first : await this.#line.next()
      this.#first = Buffer.alloc(0)
      const bytes = came.subarray(0, this.#leftBytes)
      this.#leftBytes -= bytes.length
      return isKept && !isBehindHead ? Buffer.from(bytes) : bytes
    } catch (error) {
      throw translate(error, this.#what)
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#line.close(new Error('Nobody reads on.'))
    done(error)
  }
}

async function readHead(line: Line): Promise<Head | null> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < HEAD_MAX_BYTES) {
    bytes = Buffer.concat([bytes, await line.next()])
    if (isHeadIn(bytes)) return parseHead(bytes)
  }
  return null
}

/**
 * Sends a GET over a connection of its own, without TLS.
 * @returns `null` when an answer does not come, or is none that is understood here. @throws the signal's reason
 */
export async function askPlainly(call: PlainCall): Promise<PlainAnswer | null> {
  const { path, headers, signal } = call
  signal?.throwIfAborted()
  const line = new Line(call)
  const stop = () => line.close(signal?.reason instanceof Error ? signal.reason : new Error('Aborted.'))
  signal?.addEventListener('abort', stop, { once: true })
  const forget = () => signal?.removeEventListener('abort', stop)
  line.send(headLines(`GET ${path}`, { ...headers, connection: 'close' }))
  const head = await readHead(line).catch(() => null)
  signal?.throwIfAborted()
  const sizeBytes = head?.sizeBytes ?? null
  if (head === null || sizeBytes === null) {
    forget()
    line.close(new Error('Another client asks.'))
    return null
  }
  return {
    status: head.status,
    headers: head.headers,
    cancel: () => {
      forget()
      line.close(new Error('Nobody reads it.'))
    },
    body(what) {
      const body = new LineBody(line, { first: head.rest, sizeBytes, what })
      // Also while nobody waits for its bytes.
      const end = () => body.destroy(signal?.reason instanceof Error ? signal.reason : new Error('Aborted.'))
      signal?.addEventListener('abort', end, { once: true })
      body.once('close', () => {
        forget()
        signal?.removeEventListener('abort', end)
      })
      return body
    },
  }
}
