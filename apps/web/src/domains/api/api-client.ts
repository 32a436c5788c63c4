import type { ErrorEnvelope, InputOf, Lenient, ReplyOf, RouteSpec } from '@dropleaf/contract'
import type { SentRequest } from '../../lib/api-error.ts'
import { ApiError } from '../../lib/api-error.ts'
import { backend } from '../../lib/server-address.ts'
import { fetchOnce } from './early-requests.ts'
import { readAnswer } from '../offline/copies/read-answer.ts'
import type { QueuedFacts, WaitingCall } from '../offline/queue/queue-call.ts'
import { isQueueMarked } from '../offline/queue/queue-mark.ts'
import { randomId } from '../../lib/random-id.ts'
import { requestHeaders } from './request-headers.ts'
import { routeUrl } from './route-url.ts'
import { currentOwner } from '../session/session-owner.ts'
import { recodeUnauthorized } from './unauthorized.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const SUCCESS_CODES: ReadonlySet<number> = new Set([200, 201, 202])

type Part<Spec, Name extends 'params' | 'query' | 'body'> =
  InputOf<Spec, Name> extends undefined
    ? { [K in Name]?: undefined }
    : PresentPart<Lenient<InputOf<Spec, Name>>, Name>
type PresentPart<Input, Name extends string> = object extends Input
  ? { [K in Name]?: Input }
  : { [K in Name]: Input }

interface CallSettings {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  /** Replaces the stored credential. */
  authorization?: string
  /**
   * Lets the request continue after the page is closed. For all such requests together, browsers limit the bodies to
   * about 60 kB.
   */
  keepalive?: boolean
  /** Data that is stored with the call if the call is queued. */
  whenQueued?: QueuedFacts
}
type CallOptions<Spec> = Part<Spec, 'params'> & Part<Spec, 'query'> & Part<Spec, 'body'> & CallSettings
type Arguments<Spec> = object extends CallOptions<Spec> ? [options?: CallOptions<Spec>] : [CallOptions<Spec>]

interface LooseOptions extends CallSettings {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** Matches routes that check a password. These requests can be queued, although their routes are not repeatable. */
const ASKED_LATER = /\/verify$/

type MaybeWaiting = Omit<WaitingCall, 'operation'>

const queued = () =>
  new ApiError({ kind: 'queued', code: 'client.queued', message: 'Kept until the server can be reached.' })

/**
 * Adds a change to the queue if the queue is available.
 * @returns whether the change is queued
 */
async function tryToQueue(call: MaybeWaiting, { isForced }: { isForced: boolean }): Promise<boolean> {
  try {
    const { queueCall } = await import('../offline/queue/queue-call.ts')
    return await queueCall(call, { isForced })
  } catch (error) {
    // The queue needs a database, free storage and a secure context. If one is missing, the call fails as if there were
    // no queue.
    reportError(error)
    return false
  }
}

/**
 * Calls a route of the contract. Unless `authorization` is given, a repeatable route gets an idempotency key, and the
 * calls in `offline/queue/operations.ts` can be queued.
 * @returns the whole reply, envelope fields included.
 * @throws {ApiError} if the call fails. The kind is `queued` if the change was stored and will be sent later. If the
 * server no longer accepts the credential, the session ends first.
 */
export async function api<const Spec extends RouteSpec>(
  route: Spec,
  ...[options]: Arguments<Spec>
): Promise<ReplyOf<Spec>> {
  const { params, query, body, signal, ...settings } = (options ?? {}) as LooseOptions
  const headers = requestHeaders()
  if (settings.authorization) headers['Authorization'] = settings.authorization
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const url = routeUrl(route.path, { ...(params && { params }), ...(query && { query }) })
  const waiting =
    (route.isRepeatable || ASKED_LATER.test(route.path)) && settings.authorization === undefined
      ? queueableCall({ method: route.method, url, headers, body, facts: settings.whenQueued ?? {} })
      : null
  if (waiting && route.isRepeatable) headers['Idempotency-Key'] = waiting.idempotencyKey
  if (waiting && isQueueMarked() && (await tryToQueue(waiting, { isForced: false }))) throw queued()
  const timeout = AbortSignal.timeout(settings.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const request = {
    method: route.method,
    headers,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    keepalive: settings.keepalive ?? false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  try {
    const response = await fetchOnce(url, request)
    const sent = { method: route.method, url, headers }
    return interpretReply(await readAnswer(response, sent), sent) as ReplyOf<Spec>
  } catch (error) {
    const failure = error instanceof ApiError ? error : transportError(error, { timeout, signal })
    if (waiting && isOutOfReach(failure) && (await tryToQueue(waiting, { isForced: true }))) throw queued()
    throw failure
  }
}

const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Whether the server is unreachable: it sent no response, or a gateway sent an error without an error code of the
 * server.
 */
const isOutOfReach = ({ kind, status, code }: ApiError): boolean =>
  kind === 'network' ||
  kind === 'timeout' ||
  (kind === 'http' && code === 'client.unknown' && GATEWAY_FAILURES.has(status))

interface QueueableCall extends SentRequest {
  readonly body: unknown
  readonly facts: QueuedFacts
}

const queueableCall = ({ method, url, headers, body, facts }: QueueableCall): MaybeWaiting => ({
  method,
  endpoint: url.slice(backend.length),
  body,
  idempotencyKey: randomId(),
  authorization: headers['Authorization'] ?? null,
  owner: currentOwner(),
  facts,
})

function transportError(
  cause: unknown,
  { timeout, signal }: { timeout: AbortSignal; signal: AbortSignal | undefined },
): ApiError {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (signal?.aborted) return new ApiError({ kind: 'cancelled', code: 'client.cancelled', message, cause })
  if (timeout.aborted) return new ApiError({ kind: 'timeout', code: 'client.timeout', message, cause })
  return new ApiError({ kind: 'network', code: 'client.network', message, cause })
}

export interface RawAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/**
 * Parses a JSON response.
 * @throws {ApiError} unless the text is a JSON object, and both the HTTP status and the envelope's code, if present,
 * indicate success.
 */
export function interpretReply(answer: RawAnswer, sent: SentRequest): unknown {
  const reply = parseJson(answer.text)
  const code = typeof reply?.['code'] === 'number' ? reply['code'] : answer.status
  const isHttpSuccess = answer.status >= 200 && answer.status < 300
  if (isHttpSuccess && reply === undefined) {
    throw new ApiError({
      kind: 'http',
      code: 'client.bad_reply',
      status: answer.status,
      message: answer.text.slice(0, 200),
    })
  }
  if (isHttpSuccess && SUCCESS_CODES.has(code)) return reply
  throw replyError(answer, reply, sent)
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function replyError(
  answer: RawAnswer,
  reply: Record<string, unknown> | undefined,
  sent: SentRequest,
): ApiError {
  const envelope = reply as Partial<ErrorEnvelope> | undefined
  const fallback = `HTTP error ${answer.status}: ${answer.text.slice(0, 200)}`
  const error = new ApiError({
    kind: 'http',
    status: answer.status >= 400 ? answer.status : (envelope?.code ?? answer.status),
    code: envelope?.error?.code ?? 'client.unknown',
    message: envelope?.message ?? fallback,
    details: envelope?.error?.details ?? [],
    retryAfterSeconds: parseRetryAfter(answer.retryAfter),
  })
  return error.status === 401 ? recodeUnauthorized(error, sent) : error
}

/** Parses a `Retry-After` header (a number of seconds or a date) into seconds. */
export function parseRetryAfter(value: string | null, nowMs = Date.now()): number | null {
  if (value === null || value.trim() === '') return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
