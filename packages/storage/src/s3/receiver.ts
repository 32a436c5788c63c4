import type { Readable } from 'node:stream'
import { buildQueryString, HttpResponse } from '@smithy/core/protocols'
import type { NodeHttpHandler } from '@smithy/node-http-handler'
import { Agent, errors, request as send } from 'undici'

type Request = Parameters<NodeHttpHandler['handle']>[0]
type HandlerOptions = NonNullable<Parameters<NodeHttpHandler['handle']>[1]>

interface ReceiverOptions {
  /** Maximum number of connections of one driver. Further calls wait. */
  readonly connections: number
  readonly connectTimeoutMs: number
  /** Time limit to the first byte of the response. */
  readonly timeoutMs: number
}

/**
 * Sends calls with long responses, using `undici`, which creates one buffer for each chunk. Node's own HTTP client
 * creates two buffers, and only V8's garbage collector can free one of them. So `undici` needs only a quarter of the
 * processor time for a gigabyte.
 */
export class Receiver {
  readonly #agent: Agent
  readonly #timeoutMs: number

  constructor({ connections, connectTimeoutMs, timeoutMs }: ReceiverOptions) {
    this.#timeoutMs = timeoutMs
    // The agent has no timeout for bodies. The reader of the body checks for missing data, because only the reader
    // knows when it pauses.
    this.#agent = new Agent({
      connections,
      allowH2: false,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs },
    })
  }

  /**
   * Sends a GET without a body.
   * @throws the errors of Node's own HTTP client, because the SDK recognises them for its retries
   */
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

/**
 * Converts an error to the corresponding error of Node's own client. The SDK decides by name or code whether to retry,
 * and messages contain the name or code.
 */
function toNodeError(error: unknown): unknown {
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError)
    return Object.assign(new Error(error.message, { cause: error }), { name: 'TimeoutError' })
  if (error instanceof errors.SocketError)
    return Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNRESET' })
  return error
}
