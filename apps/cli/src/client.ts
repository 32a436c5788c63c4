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

/** A line on which nothing moves for this long is dead, be it that nobody has said so. */
export const SILENCE_MS = 120_000
/** So long a server may be silent whose storage joins parts, syncs a large file or is tried again. */
export const WORK_SILENCE_MS = 300_000
/** How often it is asked meanwhile, on another line, whether it is still there. */
const LOOK_EVERY_MS = 30_000
/** Views that one client opens belong together by this, too. */
const USER_AGENT = 'dropleaf-cli'

/** Bytes as they are: a compressed answer has no length, and no part that could be gone on with. */
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
  /** The server may work for long before it answers. */
  readonly isLongWork?: boolean
}

interface AddressParts {
  readonly params?: unknown
  readonly query?: unknown
}

/** Address of a call: `:name` filled in, the query appended, absent values left out. */
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

/** What an answer that is no success means. */
export function refusalOf(address: string, { status, text }: { status: number; text: string }): CliError {
  try {
    const { message, error } = JSON.parse(text) as Partial<ErrorEnvelope>
    if (typeof message === 'string' && error)
      return new CliError({ exitCode: exitCodeOf(status), message, code: error.code, status })
  } catch {
    // Not one of our answers.
  }
  const params = { host: new URL(address).host, status }
  return new CliError({ exitCode: exitCodeOf(status), text: 'net.bad_answer', params, status })
}

/** The innermost word on why there was no answer. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = error as Error & { code?: string }
  if (cause instanceof Error) return reasonOf(cause)
  return message === '' ? (code ?? '') : message
}

/** What the client of Node.js says of ports that browsers do not go to either, such as 1 and 25. */
const FORBIDDEN_PORT = 'bad port'
/** What OpenSSL says when its greeting is answered by something else than TLS. */
const NOT_TLS = /SSL routines:.*:(?:wrong version number|packet length too long|http request)/

function wordsFor(reason: string): TextKey {
  if (reason === FORBIDDEN_PORT) return 'net.forbidden_port'
  return NOT_TLS.test(reason) ? 'net.no_tls' : 'net.unreachable'
}

/** Nothing has moved on the line for so long. */
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

/** @throws {CliError} when no answer comes, or none begins in time */
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
 * The bytes of an answer as they come. Whoever takes them may rest: silence is what is waited for in vain.
 * @throws {CliError} when the line breaks off, or is silent
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
    // The connection is of no use to anybody else.
    await reader.cancel().catch(() => undefined)
  }
}

/** All of an answer. @throws {CliError} when the line breaks off, or is silent */
export const textOf = (address: string, answer: Response): Promise<string> => text(arriving(address, answer))

/**
 * Waits for work that shows no bytes. A line that dies meanwhile tells nobody, so the server is asked on another one.
 * @throws {CliError} when it does not answer there
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

/** Calls a route of the contract. @returns the whole reply. @throws {CliError} for everything but a success */
export async function call<const Spec extends RouteSpec>(
  connection: Connection,
  route: Spec,
  input: CallInput<Spec> = {},
): Promise<ReplyOf<Spec>> {
  const address = addressOf(connection.server, route.path, input)
  const body = input.body === undefined ? null : JSON.stringify(input.body)
  // How much of a body has gone cannot be seen: a kilobyte a second is what the server asks of the slowest line.
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
