import { inspect } from 'node:util'
import type { ServerProcess } from '../server-process.ts'
import { add, type Ledger } from './ledger.ts'

/** The outcome of a request is unknown, because a server was killed or lost its database during the request. */
export class KilledError extends Error {
  override readonly name = 'KilledError'
}

/** A running server refused the request or did not complete its work, or the connection broke without a kill. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

export interface Answer {
  readonly status: number
  readonly bytes: Buffer
  readonly headers: Headers
  // eslint-disable-next-line typescript/no-explicit-any -- answers have every shape
  readonly data: any
}

export interface Call {
  readonly json?: unknown
  readonly body?: BodyInit
  readonly headers?: Record<string, string>
  /** Statuses besides 2xx that do not count as refusals. */
  readonly allowed?: readonly number[]
  /** Whether the request is sent without a credential. */
  readonly isAnonymous?: boolean
}

/** The server that clients send their requests to. */
export interface Target {
  readonly api: string
  /** Whether a kill since this time may have interrupted a request. */
  wasKilledSince(beganAtMs: number): boolean
  /** Whether a response leaves the outcome of the request unknown. */
  isLost(answer: Pick<Response, 'status' | 'headers'>, beganAtMs: number): boolean
}

/** Returns a single server without a balancer as a target. */
export const targetOf = (server: ServerProcess): Target => ({
  api: server.api,
  wasKilledSince: () => server.process.killed,
  isLost: () => false,
})

/** Client for servers that are killed during requests. */
export interface Client {
  /** @throws {KilledError} or {@link RefusedError} */
  call(method: string, path: string, o?: Call): Promise<Answer>
  /** Calls a path below `/dav`, with the same errors as `call`. */
  dav(method: string, path: string, o?: Call): Promise<Answer>
  /** Calls a complete URL of this server or of the storage, with the same errors as `call`. */
  at(method: string, url: string, o?: Call): Promise<Answer>
}

function dataOf(bytes: Buffer, headers: Headers): unknown {
  if (!headers.get('content-type')?.includes('application/json')) return undefined
  const body = JSON.parse(bytes.toString()) as { data?: unknown }
  return body.data ?? body
}

export function createClient(
  target: Target,
  { token, key, ledger }: { token: string; key: string; ledger: Ledger },
): Client {
  async function send(method: string, url: string, o: Call, authorization: string | null): Promise<Answer> {
    const beganAtMs = performance.now()
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...(authorization === null || o.isAnonymous ? {} : { authorization }),
          ...(o.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...o.headers,
        },
        ...(o.json === undefined ? {} : { body: JSON.stringify(o.json) }),
        ...(o.body === undefined ? {} : { body: o.body }),
        ...(o.body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const { status, headers } = response
      if (target.isLost(response, beganAtMs)) throw new KilledError(`${method} ${url}: ${status}`)
      if (!response.ok && !o.allowed?.includes(status)) {
        const path = new URL(url).pathname.replace(/[^/]*\d[^/]*/g, '…')
        add(ledger.refusals, `${method} ${path}: ${status} ${bytes.toString().slice(0, 200)}`)
        throw new RefusedError(`${method} ${url}: ${status}`)
      }
      return { status, bytes, headers, data: response.ok ? dataOf(bytes, headers) : undefined }
    } catch (error) {
      if (error instanceof RefusedError || error instanceof KilledError) throw error
      if (target.wasKilledSince(beganAtMs)) throw new KilledError('killed', { cause: error })
      const cause = inspect(error)
      ledger.faults.push(`${method} ${url}: the connection broke although nobody killed the server: ${cause}`)
      throw new RefusedError(cause, { cause: error })
    }
  }
  const drive = `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`
  return {
    call: (method, path, o = {}) => send(method, `${target.api}${path}`, o, `Bearer ${token}`),
    dav: (method, path, o = {}) => send(method, `${target.api.replace(/\/api$/, '/dav')}${path}`, o, drive),
    at: (method, url, o = {}) => send(method, url, o, null),
  }
}
