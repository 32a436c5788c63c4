import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ErrorEnvelope,
  type InputOf,
  type Lenient,
  type ReplyOf,
  type RouteSpec,
  systemRoutes,
} from '@dropleaf/contract'
import { CliError, EXIT, type ExitCode } from './errors.ts'
import type { Language, TextKey } from './texts/index.ts'

/** After this time without transferred bytes, a connection counts as dead, even if it was not closed. */
export const SILENCE_MS = 120_000
/** How long a server can be silent while its storage joins parts, fsyncs a large file or retries. */
export const WORK_SILENCE_MS = 300_000
/** Interval at which the client checks, on a second connection, that the server is still alive. */
const LOOK_EVERY_MS = 30_000
/** The server also uses the user agent to recognize requests that belong to the same view. */
const USER_AGENT = 'dropleaf-cli'

/** Requests uncompressed bytes, because a compressed response has no length and cannot be resumed. */
export const BYTES_HEADERS = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity' } as const

export interface Connection {
  readonly server: string
  readonly key: string | null
  readonly language: Language
}

export interface CallInput<Spec extends RouteSpec> {
  readonly params?: Lenient<InputOf<Spec, 'params'>>
  readonly query?: Lenient<InputOf<Spec, 'query'>>
  readonly body?: Lenient<InputOf<Spec, 'body'>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Whether the server may take a long time to respond. */
  readonly isLongWork?: boolean
}

interface AddressParts {
  readonly params?: unknown
  readonly query?: unknown
}

/** Builds the URL of a call. Fills in `:name`, appends the query and omits absent values. */
export function addressOf(server: string, path: string, { params, query }: AddressParts = {}): string {
  const names = (params ?? {}) as Record<string, unknown>
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(names[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  return `${server}${filled}${search.size === 0 ? '' : `?${search.toString()}`}`
}

export const headersOf = ({ key, language }: Connection): Record<string, string> => ({
  'user-agent': USER_AGENT,
  'accept-language': language,
  ...(key !== null && { authorization: `ApiKey ${key}` }),
})

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.credential
  if (status === 404 || status === 410) return EXIT.notFound
  return status === 408 || status === 429 || status >= 500 ? EXIT.network : EXIT.refused
}

/** Converts an unsuccessful response to an error. */
export function refusalOf(address: string, { status, text }: { status: number; text: string }): CliError {
  try {
    const { message, error } = JSON.parse(text) as Partial<ErrorEnvelope>
    if (typeof message === 'string' && error)
      return new CliError({ exitCode: exitCodeOf(status), message, code: error.code, status })
  } catch {
    // The response is not in the API's format, for example because it comes from a proxy.
  }
  const params = { host: new URL(address).host, status }
  return new CliError({ exitCode: exitCodeOf(status), text: 'net.bad_answer', params, status })
}

/** Returns the innermost cause of a failed request. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = error as Error & { code?: string }
  if (cause instanceof Error) return reasonOf(cause)
  return message === '' ? (code ?? '') : message
}

/** Error message of Node.js for ports that browsers also block, such as 1 and 25. */
const FORBIDDEN_PORT = 'bad port'
/** Error messages of OpenSSL for a server that does not speak TLS. */
const NOT_TLS = /SSL routines:.*:(?:wrong version number|packet length too long|http request)/

function wordsFor(reason: string): TextKey {
  if (reason === FORBIDDEN_PORT) return 'net.forbidden_port'
  return NOT_TLS.test(reason) ? 'net.no_tls' : 'net.unreachable'
}

/** Error for a connection that was silent for too long. */
export function silent(address: string, silenceMs: number): CliError {
  const params = { host: new URL(address).host, seconds: Math.round(silenceMs / 1000), detail: 'ETIMEDOUT' }
  return new CliError({ exitCode: EXIT.network, text: 'net.silent', params })
}

export function unreachable(address: string, cause: unknown): CliError {
  if (cause instanceof CliError) return cause
  const detail = reasonOf(cause)
  return new CliError({
    exitCode: EXIT.network,
    text: wordsFor(detail),
    params: { host: new URL(address).host, detail },
    cause,
  })
}

/** @throws {CliError} if the connection fails, or no response starts in time */
export async function request(
  address: string,
  init: RequestInit,
  silenceMs: number = SILENCE_MS,
): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(silent(address, silenceMs)), silenceMs)
  const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
  try {
    return await fetch(address, { ...init, signal })
  } catch (error) {
    throw unreachable(address, error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Yields the bytes of a response as they arrive. Only the time spent waiting for bytes counts as silence, so the reader
 * can pause.
 * @throws {CliError} if the connection breaks or is silent for too long
 */
export async function* arriving(
  address: string,
  { body }: Response,
  silenceMs: number = SILENCE_MS,
): AsyncGenerator<Buffer> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(silent(address, silenceMs)), silenceMs)
      const { done, value } = await Promise.race([reader.read(), late.promise]).finally(() =>
        clearTimeout(timer),
      )
      if (done) return
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  } catch (cause) {
    throw unreachable(address, cause)
  } finally {
    // Closes the connection if the response was not read to its end.
    await reader.cancel().catch(() => undefined)
  }
}

/** Reads the whole response as text. @throws {CliError} if the connection breaks or is silent for too long */
export const textOf = (address: string, answer: Response): Promise<string> => text(arriving(address, answer))

/**
 * Waits for work that transfers no bytes. A dead connection would stay unnoticed during this time, so other requests
 * check that the server still responds.
 * @throws {CliError} if these requests get no response
 */
export async function whileAnswering<T>(
  address: string,
  work: (signal: AbortSignal) => Promise<T>,
  { everyMs = LOOK_EVERY_MS, silenceMs = SILENCE_MS } = {},
): Promise<T> {
  const dead = new AbortController()
  const done = new AbortController()
  const look = async () => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: done.signal })
      const answer = await request(address, { signal: done.signal }, silenceMs)
      await answer.body?.cancel()
    }
  }
  void look().catch((error: unknown) => dead.abort(error))
  try {
    return await work(dead.signal)
  } finally {
    done.abort()
  }
}

/** Calls a route of the contract. @returns the parsed body. @throws {CliError} unless the call succeeds */
export async function call<const Spec extends RouteSpec>(
  connection: Connection,
  route: Spec,
  input: CallInput<Spec> = {},
): Promise<ReplyOf<Spec>> {
  const address = addressOf(connection.server, route.path, input)
  const body = input.body === undefined ? null : JSON.stringify(input.body)
  // The client cannot observe how much of the body was sent. The server accepts a rate as low as 1 kB per second, so a
  // longer body gets more time.
  const bodyMs = Buffer.byteLength(body ?? '')
  const silenceMs = input.isLongWork ? WORK_SILENCE_MS : Math.min(SILENCE_MS + bodyMs, WORK_SILENCE_MS)
  const send = async (signal?: AbortSignal) => {
    const signals = [input.signal, signal].filter((one) => one !== undefined)
    const init = {
      method: route.method,
      headers: {
        ...headersOf(connection),
        ...input.headers,
        ...(body !== null && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any(signals),
      body,
    }
    const answer = await request(address, init, silenceMs)
    return { answer, words: await textOf(address, answer) }
  }
  const health = addressOf(connection.server, systemRoutes.health.path)
  const { answer, words } = input.isLongWork ? await whileAnswering(health, send) : await send()
  if (!answer.ok) throw refusalOf(address, { status: answer.status, text: words })
  try {
    return JSON.parse(words) as ReplyOf<Spec>
  } catch {
    throw refusalOf(address, { status: answer.status, text: '' })
  }
}
