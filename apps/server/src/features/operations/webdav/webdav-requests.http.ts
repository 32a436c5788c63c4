import type { Readable } from 'node:stream'
import { fsErrors, requestErrors, webdavErrors } from '@dropleaf/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { relayBody } from '../../../lib/bodies/relay-body.ts'
import { actorOf, stillActorOf } from '../../foundation/identity/request-actor.http.ts'
import type { Actor } from '../../foundation/identity/actor.models.ts'
import { requireAccess } from '../../capabilities/fs/places/access.models.ts'
import { pathOfAddress } from './hrefs.models.ts'

/** Size limits of XML bodies. Property values can be long, but queries are short. */
const XML_MAX_BYTES = { change: 1024 * 1024, question: 64 * 1024 } as const

export interface DavCall {
  readonly ctx: AppContext
  readonly actor: Actor
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Virtual path as sent by the client. */
  readonly path: string
}

/** @throws {AppError} `fs.path_invalid` */
export function callOf(ctx: AppContext, request: FastifyRequest, reply: FastifyReply): DavCall {
  const path = pathOfAddress(request.url.split('?')[0] ?? '')
  if (path === null) throw new AppError(fsErrors.path_invalid)
  return { ctx, actor: actorOf(request), request, reply, path }
}

/** Returns the value of a header. If Node.js returns several values, joins them by commas. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  const text = Array.isArray(value) ? value.join(', ') : value
  // Decodes the header again, because Node.js decodes headers as Latin-1, but some clients send UTF-8.
  return text !== undefined && /[\u0080-\u00ff]/.test(text)
    ? Buffer.from(text, 'latin1').toString('utf8')
    : text
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Requires a body without content or transfer codings, because files and XML are processed as sent.
 * @throws {AppError} `webdav.coding_unsupported`; `webdav.transfer_unsupported` for transfer codings
 * Source: RFC 9110, section 8.4, and RFC 9112, section 6.1, read 2026-11-22.
 */
export function requirePlainBody(request: FastifyRequest): void {
  if (!hasBody(request)) return
  const coding = headerOf(request, 'content-encoding')?.trim() ?? ''
  const isPlain = coding.split(',').every((one) => /^(?:identity)?$/i.test(one.trim()))
  if (!isPlain) throw new AppError(webdavErrors.coding_unsupported, { params: { coding } })
  const transfer = headerOf(request, 'transfer-encoding')?.trim() ?? 'chunked'
  if (!/^chunked$/i.test(transfer))
    throw new AppError(webdavErrors.transfer_unsupported, { params: { coding: transfer } })
}

const CONDITIONS = ['if', 'if-match', 'if-none-match', 'if-unmodified-since']

/** Whether a request has conditional headers. */
export const hasConditions = ({ headers }: FastifyRequest): boolean =>
  CONDITIONS.some((name) => name in headers)

const waiting = new WeakSet<object>()

/** Records that the request has sent `Expect: 100-continue`. */
export const noteExpectation = (raw: object): void => void waiting.add(raw)

export const awaitsInvitation = (raw: object): boolean => waiting.has(raw)

/** Sends `100 Continue` if the client waits for it. Call after all checks that could reject the request. */
export function inviteBody({ request, reply }: Pick<DavCall, 'request' | 'reply'>): void {
  if (waiting.delete(request.raw)) reply.raw.writeContinue()
}

/** Decodes UTF-8 and UTF-16, which every XML parser must support. UTF-16 is detected by its byte order mark. */
function decodeXml(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2)
  const encoding = mark === '\xfe\xff' ? 'utf-16be' : mark === '\xff\xfe' ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    const detail = 'it is neither in UTF-8 nor in UTF-16'
    throw new AppError(webdavErrors.xml_invalid, { params: { detail }, cause })
  }
}

/**
 * Returns the body as text; empty if there is none.
 * @throws {AppError} the errors of `stillActorOf` and `requireAccess` for a slow body; `request.too_large`;
 * `webdav.xml_invalid` for another encoding or an interrupted body
 */
export async function readXml(
  call: Pick<DavCall, 'request' | 'reply' | 'actor' | 'path'>,
  kind: keyof typeof XML_MAX_BYTES = 'change',
): Promise<string> {
  const { request } = call
  if (!hasBody(request)) return ''
  inviteBody(call)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of untilBrokenOff(request.raw)) {
    sizeBytes += chunk.length
    if (sizeBytes > XML_MAX_BYTES[kind]) throw new AppError(requestErrors.too_large)
    chunks.push(chunk)
  }
  const now = await stillActorOf(request)
  if (now !== call.actor) requireAccess(now, call.path, kind === 'change' ? 'write' : 'navigate')
  return decodeXml(Buffer.concat(chunks))
}

/** Yields the body, and reports a disconnected client as a client error. @throws {AppError} `webdav.xml_invalid` */
async function* untilBrokenOff(raw: Readable): AsyncGenerator<Buffer> {
  try {
    // Does not close the connection after an error, because that could destroy the response in transit.
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Buffer
  } catch (cause) {
    throw new AppError(webdavErrors.xml_invalid, { params: { detail: 'it broke off' }, cause })
  }
}

/**
 * Parses a file's modification time in seconds since 1970, as some sync clients send it. Returns `null` if it is absent
 * or invalid.
 */
export function parseTime(header: string | undefined): number | null {
  const seconds = Number(header)
  const isSensible = header !== undefined && /^\d{1,11}(?:\.\d+)?$/.test(header.trim()) && seconds > 0
  return isSensible ? Math.round(seconds * 1000) : null
}

export interface AnnouncedSize {
  readonly bytes: number
  /** Whether HTTP framing guarantees the size. The Finder sends chunks, with the size in a separate header. */
  readonly isFramed: boolean
}

/**
 * Returns the announced size of the body; `undefined` if it is unknown.
 * @throws {AppError} `webdav.header_invalid`; `webdav.length_mismatch` if a proxy has received only a part of the body,
 * and sends the length of that part
 */
export function sizeOf(request: FastifyRequest): AnnouncedSize | undefined {
  const [received, expected] = ['content-length', 'x-expected-entity-length'].map((name) => {
    const text = headerOf(request, name)
    return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  })
  if (received === undefined) {
    if (expected !== undefined) return { bytes: expected, isFramed: false }
    if (headerOf(request, 'x-expected-entity-length') === undefined) return undefined
    throw new AppError(webdavErrors.header_invalid, { params: { header: 'X-Expected-Entity-Length' } })
  }
  if (expected !== undefined && expected !== received)
    throw new AppError(webdavErrors.length_mismatch, { params: { expected, received } })
  return { bytes: received, isFramed: true }
}

/** A body whose size is compared with the announced size. */
export interface CountedBody extends Disposable {
  readonly source: Readable
  /** Call after the last byte. @throws {AppError} `webdav.length_mismatch` */
  readonly requireSize: () => void
}

export function countedBody(raw: Readable, expected: number): CountedBody {
  let received = 0
  const source = relayBody(raw, { look: (chunk) => void (received += chunk.length) })
  return {
    source,
    requireSize() {
      if (received !== expected)
        throw new AppError(webdavErrors.length_mismatch, { params: { expected, received } })
    },
    [Symbol.dispose]: () => void source.destroy(),
  }
}
