import type { Readable } from 'node:stream'
import { buildQueryString, HttpResponse } from '@smithy/core/protocols'
import type { NodeHttpHandler } from '@smithy/node-http-handler'
import { Agent, errors, request as send } from 'undici'

type Request = Parameters<NodeHttpHandler['handle']>[0]
type HandlerOptions = NonNullable<Parameters<NodeHttpHandler['handle']>[1]>

interface ReceiverOptions {
  /** Of one driver; calls beyond wait. */
  readonly connections: number
  readonly connectTimeoutMs: number
  /** To the first byte of the answer. */
  readonly timeoutMs: number
}

/**
 * Calls whose answer is long. Node's own HTTP client makes two buffers for each chunk, of which one cannot be freed before
 * V8 collects it; `undici` makes one, and a gigabyte costs a quarter of the processor time.
 */
export class Receiver {
  readonly #agent: Agent
  readonly #timeoutMs: number

  constructor({ connections, connectTimeoutMs, timeoutMs }: ReceiverOptions) {
    this.#timeoutMs = timeoutMs
    // Who reads the body watches it: a reader may rest for as long as it likes.
    this.#agent = new Agent({
      connections,
      allowH2: false,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs },
    })
  }

  /** Without a body, as GET has none. @throws errors as of Node's own HTTP client, by which the SDK tries again */
  async handle(request: Request, { abortSignal }: HandlerOptions = {}): Promise<{ response: HttpResponse }> {
    const query = buildQueryString(request.query)
    try {
      const answer = await send(`${originOf(request)}${request.path}${query === '' ? '' : `?${query}`}`, {
        method: request.method as 'GET',
        headers: request.headers,
        headersTimeout: this.#timeoutMs,
        dispatcher: this.#agent,
        ...(abortSignal && { signal: abortSignal as AbortSignal }),
      })
      const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')])
      const body: Readable = answer.body
      const response = new HttpResponse({
        statusCode: answer.statusCode,
        headers: Object.fromEntries(headers) as Record<string, string>,
        body,
      })
      return { response }
    } catch (error) {
      throw toNodeError(error)
    }
  }

  close(): void {
    void this.#agent.destroy()
  }
}

const originOf = ({ protocol, hostname, port }: Request): string =>
  `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`

/** An error as Node's own client has it: the SDK tries again by its name or code, and messages name it. */
function toNodeError(error: unknown): unknown {
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError)
    return Object.assign(new Error(error.message, { cause: error }), { name: 'TimeoutError' })
  if (error instanceof errors.SocketError)
    return Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNRESET' })
  return error
}
