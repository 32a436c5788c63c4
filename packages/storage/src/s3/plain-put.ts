import { connect, type Socket } from 'node:net'
import { CONNECT_TIMEOUT_MS } from './transport.ts'
import { arePlain, type Head, HEAD_MAX_BYTES, headLines, isHeadIn, parseHead } from './plain-head.ts'

/** Connections of one driver; whoever finds none free goes by the HTTP client, where others wait. */
const LINES_MAX = 128
/** Those that rest. */
const RESTING_MAX = 32
const HTTP_OK = 200
const HTTP_SWITCHING_PROTOCOLS = 101
/** Memory of a connection: answers are a few hundred bytes. */
const ANSWER_BYTES = 4096

export interface PlainPut {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends small bodies to a host that is spoken to without TLS, over connections that are kept. Node's HTTP client takes several
 * times as long for one, and 64 KiB of new memory for each answer.
 */
export interface PlainPuts {
  /**
   * @returns the head of the answer, or `null` when none came that is understood; `undefined` when it is left to an HTTP client,
   *   and nothing was sent.
   */
  put(put: PlainPut): Promise<Head | null> | undefined
  close(): void
}

type Answer = Head | 'none' | 'unknown'

const isInterim = ({ status }: Head): boolean => status < HTTP_OK && status !== HTTP_SWITCHING_PROTOCOLS

/** A connection, which is asked one thing at a time. */
class KeptLine {
  readonly #socket: Socket
  readonly #onClose: () => void
  #answer: ((answer: Answer) => void) | null = null
  #came: Buffer = Buffer.alloc(0)
  isOpen = true

  constructor(o: { host: string; port: number; timeoutMs: number }, onClose: () => void) {
    this.#onClose = onClose
    this.#socket = connect({
      host: o.host,
      port: o.port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(ANSWER_BYTES),
        callback: (bytes, memory) => {
          this.#take(memory.subarray(0, bytes))
          return true
        },
      },
    })
    this.#socket.setTimeout(Math.min(o.timeoutMs, CONNECT_TIMEOUT_MS), () => this.close())
    this.#socket.once('connect', () => this.#socket.setTimeout(o.timeoutMs))
    for (const event of ['error', 'end', 'close']) this.#socket.on(event, () => this.close())
  }

  ask({ path, headers, bytes, signal }: PlainPut): Promise<Answer> {
    const stop = () => this.close()
    signal?.addEventListener('abort', stop, { once: true })
    const size = { 'content-length': String(bytes.length) }
    return new Promise((resolve) => {
      this.#answer = (answer) => {
        this.#answer = null
        signal?.removeEventListener('abort', stop)
        resolve(answer)
      }
      this.#socket.ref()
      this.#socket.cork()
      this.#socket.write(headLines(`PUT ${path}`, { ...headers, ...size }), 'latin1')
      this.#socket.write(bytes)
      this.#socket.uncork()
    })
  }

  /** Keeps no process from ending. */
  rest(): void {
    this.#socket.unref()
  }

  close(): void {
    if (!this.isOpen) return
    this.#drop()
    this.#answer?.('none')
  }

  #drop(): void {
    this.isOpen = false
    this.#socket.destroy()
    this.#onClose()
  }

  /** The head of the answer, past those that only say that one will come; `null` until it is there. */
  #takeHead(): Head | 'unknown' | null {
    while (isHeadIn(this.#came)) {
      const head = parseHead(this.#came)
      this.#came = head !== null && isInterim(head) ? head.rest : Buffer.alloc(0)
      if (head === null || !isInterim(head)) return head ?? 'unknown'
    }
    return null
  }

  #take(bytes: Uint8Array): void {
    const answer = this.#answer
    this.#came = Buffer.concat([this.#came, bytes])
    const head = answer && this.#takeHead()
    if (answer && head) {
      // Who answers before all was sent has refused it, whatever the answer says.
      const isEarly = this.#socket.writableLength > 0
      if (isEarly) this.#drop()
      answer(isEarly && head !== 'unknown' && head.status === HTTP_OK ? 'none' : head)
    } else if (answer === null || this.#came.length > HEAD_MAX_BYTES) {
      // What nobody asked for would be taken for the next answer.
      this.close()
    }
  }
}

/** @param o `timeoutMs`: longest silence. */
export function createPlainPuts(o: { host: string; port: number; timeoutMs: number }): PlainPuts {
  const lines = new Set<KeptLine>()
  let resting: KeptLine[] = []
  /** Whether its answers leave a connection as it was; it is another client's otherwise. */
  let isSuited = true

  function open(): KeptLine {
    const line: KeptLine = new KeptLine(o, () => {
      lines.delete(line)
      resting = resting.filter((other) => other !== line)
    })
    lines.add(line)
    return line
  }

  async function ask(line: KeptLine, put: PlainPut): Promise<Head | null> {
    const answer = await line.ask(put)
    const head = typeof answer === 'string' ? null : answer
    const isEmpty = head?.sizeBytes === 0 && head.rest.length === 0
    if (answer === 'unknown' || (head?.status === HTTP_OK && !isEmpty)) isSuited = false
    const isKept =
      head?.status === HTTP_OK && isEmpty && !/\bclose\b/i.test(head.headers.get('connection') ?? '')
    if (!isKept || resting.length >= RESTING_MAX) line.close()
    else if (line.isOpen) {
      line.rest()
      resting.push(line)
    }
    return head
  }

  return {
    put(put) {
      if (!isSuited || put.signal?.aborted || !arePlain(put.headers)) return undefined
      const line = resting.pop() ?? (lines.size < LINES_MAX ? open() : undefined)
      return line && ask(line, put)
    },
    close() {
      for (const line of lines) line.close()
    },
  }
}
