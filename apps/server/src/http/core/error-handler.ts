import { Socket } from 'node:net'
import {
  type ErrorDetail,
  type ErrorEnvelope,
  type ErrorSpec,
  requestErrors,
  rules,
  storageErrors,
} from '@dropleaf/contract'
import { StorageError } from '@dropleaf/storage'
import type * as z from 'zod/mini'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseTrouble } from '../../db/database.ts'
import { AppError, type ErrorParams, firstOf } from '../../lib/app-error.ts'
import { KEPT_BY_NOBODY } from './access.ts'
import {
  catalogueOf,
  type Language,
  languageOf,
  messageFor,
  refusalFor,
  ruleFor,
} from '../../messages/index.ts'
import { InvalidRequestError } from './route-adapter.ts'
import { specOfStorageError } from '../../errors/storage-errors.ts'

export interface Failure {
  readonly spec: ErrorSpec
  readonly status: number
  readonly params: ErrorParams
  readonly details?: readonly ErrorDetail[]
  readonly retryAfterSeconds?: number
}

const MAX_DETAILS = 20
/** Retry delay for a busy or unreachable database. */
const AWAY_RETRY_SECONDS = 5

/** The only message that the small build of the schema library contains. */
const WITHOUT_WORDS = 'Invalid input'

/**
 * Returns the message for an invalid field. The message comes from our own rule, or from the catalogue for a rule of
 * the schema library.
 */
function wordsFor(issue: z.core.$ZodIssue, language: Language): string {
  if (issue.message !== WITHOUT_WORDS) return ruleFor(issue.message, language)
  const words = catalogueOf(language).ofSchemas(issue as z.core.$ZodRawIssue)
  return (typeof words === 'string' ? words : words?.message) ?? issue.message
}

function detailsOf(error: InvalidRequestError, language: Language): ErrorDetail[] {
  const root = error.part === 'querystring' ? 'query' : error.part
  return error.issues.slice(0, MAX_DETAILS).map((issue) => ({
    path: [root, ...issue.path.map(String)].join('.').slice(0, 200),
    message: wordsFor(issue, language),
  }))
}

function isOversizedText(error: InvalidRequestError): boolean {
  return error.issues.some((issue) => issue.message === rules.contentTooLarge)
}

/**
 * Classifies an error. Checks in this order: our errors, schema errors, storage errors, database errors, 4xx of the
 * transport, others.
 */
function classify(error: FastifyError, language: Language): Failure {
  if (error instanceof AppError) {
    return {
      spec: error.spec,
      status: error.spec.status,
      params: {
        ...error.params,
        ...(error.retryAfterSeconds === undefined ? {} : { seconds: error.retryAfterSeconds }),
      },
      ...(error.details ? { details: error.details } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    }
  }
  if (error instanceof InvalidRequestError) {
    const details = detailsOf(error, language)
    const first = details[0]
    if (isOversizedText(error))
      return { spec: { code: 'paste.content_too_large', status: 413 }, status: 413, params: {}, details }
    return {
      spec: requestErrors.invalid,
      status: 400,
      params: { detail: first ? `${first.path}: ${first.message}` : '' },
      details,
    }
  }
  if (error instanceof StorageError) {
    const spec = specOfStorageError(error)
    return { spec, status: spec.status, params: { detail: error.message } }
  }
  // A broken client connection has the same error code as a broken database connection, but also has a status.
  const trouble = error.statusCode === undefined ? databaseTrouble(error) : null
  if (trouble === 'full') return { spec: storageErrors.disk_full, status: 507, params: {} }
  if (trouble === 'away')
    return { spec: requestErrors.unavailable, status: 503, params: {}, retryAfterSeconds: AWAY_RETRY_SECONDS }
  const status = error.statusCode
  if (status === 413) return { spec: requestErrors.too_large, status, params: {} }
  if (status !== undefined && status >= 400 && status < 500)
    return { spec: requestErrors.refused, status, params: { detail: refusalFor(error, language) } }
  return { spec: requestErrors.internal, status: 500, params: {} }
}

/** Converts anything that is thrown during a request to an API error. */
export const failureOf = (error: FastifyError, request: FastifyRequest): Failure =>
  classify(firstOf(error) as FastifyError, languageOf(request.headers['accept-language']))

function envelopeOf(failure: Failure, request: FastifyRequest): ErrorEnvelope {
  return {
    code: failure.status,
    message: messageFor(failure.spec.code, languageOf(request.headers['accept-language']), failure.params),
    success: false,
    data: null,
    error: {
      code: failure.spec.code,
      requestId: request.id,
      ...(failure.details ? { details: failure.details } : {}),
    },
  }
}

const DRAIN_MS = 5_000

/** Connections whose last response has been sent. */
const ending = new WeakSet<Socket>()

/**
 * Ends the connection after a refusal that precedes the end of the body. The server's side ends with the response, and
 * remaining bytes are dropped for a limited time. Closing immediately could destroy the response in transit, and a
 * proxy that is still sending would answer with its own error.
 */
export function stopReading(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (
    raw.complete ||
    raw.destroyed ||
    (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined)
  )
    return
  reply.header('connection', 'close')
  raw.unpipe()
  raw.resume()
  const { socket } = raw
  // Injected requests have no connection to end.
  if (!(socket instanceof Socket)) return
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  ending.add(socket)
  const closeBoth = socket.destroySoon.bind(socket)
  // Node.js calls `destroySoon` when the response has been sent.
  socket.destroySoon = () => {
    if (raw.complete) return closeBoth()
    socket.end()
    raw.once('end', closeBoth)
  }
}

/** Whether a path belongs to an API. All other paths are for terminals and browsers. */
const isOfApi = (path: string): boolean => /^\/(?:api|dav)(?:\/|$)/.test(path)

/**
 * Returns the error as text, for routes that respond with text and for uploads to unknown paths; `null` if the client
 * expects an envelope.
 */
function plainTextOf({ method, url, routeOptions }: FastifyRequest, message: string): string | null {
  const contract = routeOptions.config?.contract
  const isPlain = contract ? contract.replyType?.startsWith('text/plain') : method === 'PUT' && !isOfApi(url)
  if (isPlain !== true) return null
  // The newline makes the prompt of a terminal start on a new line.
  return isOfApi(contract?.path ?? url) ? message : `${message}\n`
}

function answer(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = firstOf(thrown) as FastifyError
  const failure = failureOf(error, request)
  if (failure.status >= 500) {
    // Expected failures and an unavailable database are not bugs, so they are logged as warnings.
    const isExpected = error instanceof AppError || error instanceof StorageError
    const level = isExpected || failure.spec === requestErrors.unavailable ? 'warn' : 'error'
    request.log[level]({ err: thrown }, 'request failed')
  }
  if (reply.raw.headersSent) {
    reply.raw.destroy(error)
    return
  }
  reply.code(failure.status).header('cache-control', KEPT_BY_NOBODY)
  stopReading(request, reply)
  for (const name of ['etag', 'last-modified', 'content-disposition', 'content-encoding', 'content-length'])
    reply.removeHeader(name)
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds)
  const envelope = envelopeOf(failure, request)
  const text = plainTextOf(request, envelope.message)
  if (text !== null) reply.type('text/plain; charset=utf-8').send(text)
  else reply.type('application/json; charset=utf-8').send(envelope)
}

/** Answers every error of a route with the error envelope, or with text. */
export function installErrorHandler(app: FastifyInstance): void {
  // A pipelined request after the last response must not run. The client gets no response to it, and sends it again.
  app.addHook('onRequest', (request, reply, done) => {
    if (ending.has(request.raw.socket)) reply.hijack()
    else done()
  })
  app.setErrorHandler<FastifyError>((error, request, reply) => answer(error, request, reply))
}

/**
 * Answers requests that the router refuses before any hook runs. Sends the usual envelope, and the headers that the
 * hooks would have set.
 */
export function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('access-control-allow-origin', '*')
  answer(error, request, reply)
}

/** Answers a request for an unknown URL with `request.not_found`. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  answer(new AppError(requestErrors.not_found) as unknown as FastifyError, request, reply)
  return reply
}
