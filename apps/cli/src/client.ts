import type { ErrorEnvelope, InputOf, Lenient, ReplyOf, RouteSpec } from '@dropleaf/contract'
import { CliError, EXIT, type ExitCode } from './errors.ts'
import type { Language, TextKey } from './texts/index.ts'

/** Joining the parts of a large file takes a storage its time. */
const TIMEOUT_MS = 300_000
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

export function unreachable(address: string, cause: unknown): CliError {
  const detail = reasonOf(cause)
  return new CliError({
    exitCode: EXIT.network,
    text: wordsFor(detail),
    params: { host: new URL(address).host, detail },
    cause,
  })
}

/** @throws {CliError} when no answer comes */
export async function request(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    throw unreachable(address, error)
  }
}

/** Calls a route of the contract. @returns the whole reply. @throws {CliError} for everything but a success */
export async function call<const Spec extends RouteSpec>(
  connection: Connection,
  route: Spec,
  input: CallInput<Spec> = {},
): Promise<ReplyOf<Spec>> {
  const address = addressOf(connection.server, route.path, input)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await request(address, {
    method: route.method,
    headers: {
      ...headersOf(connection),
      ...input.headers,
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
    },
    signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  })
  let text: string
  try {
    text = await answer.text()
  } catch (error) {
    throw unreachable(address, error)
  }
  if (!answer.ok) throw refusalOf(address, { status: answer.status, text })
  try {
    return JSON.parse(text) as ReplyOf<Spec>
  } catch {
    throw refusalOf(address, { status: answer.status, text: '' })
  }
}
