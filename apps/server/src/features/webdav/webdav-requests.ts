import { webdavErrors } from '@dropleaf/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../lib/app-error.ts'
import { actorOf } from '../auth/request-actor.models.ts'
import type { Actor } from '../auth/actor.models.ts'
import { pathOfAddress } from './hrefs.models.ts'
import { fsErrors } from '@dropleaf/contract'

/** Bytes of the largest XML body. */
const XML_MAX_BYTES = 1024 * 1024

/** One request to the drive. */
export interface DavCall {
  readonly ctx: AppContext
  readonly actor: Actor
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Virtual path, as its sender wrote it. */
  readonly path: string
}

/** @throws {AppError} `fs.path_invalid` */
export function callOf(ctx: AppContext, request: FastifyRequest, reply: FastifyReply): DavCall {
  const path = pathOfAddress(request.url.split('?')[0] ?? '')
  if (path === null) throw new AppError(fsErrors.path_invalid)
  return { ctx, actor: actorOf(request), request, reply, path }
}

/** A header that may come once. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const waiting = new WeakSet<object>()

/** Marks a request whose sender waits to be told that its body is wanted. */
export const noteExpectation = (raw: object): void => void waiting.add(raw)

/** Tells a sender who waits for it that its body is wanted. Called when nothing speaks against the request any more. */
export function inviteBody({ request, reply }: Pick<DavCall, 'request' | 'reply'>): void {
  if (waiting.delete(request.raw)) reply.raw.writeContinue()
}

/**
 * The body as text; empty for none.
 * @throws {AppError} `webdav.xml_invalid` for one that is too long, or not in UTF-8
 */
export async function readXml(call: Pick<DavCall, 'request' | 'reply'>): Promise<string> {
  const { request } = call
  if (!hasBody(request)) return ''
  inviteBody(call)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request.raw) {
    sizeBytes += (chunk as Buffer).length
    if (sizeBytes > XML_MAX_BYTES)
      throw new AppError(webdavErrors.xml_invalid, { params: { detail: 'it is longer than 1 MiB' } })
    chunks.push(chunk as Buffer)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new AppError(webdavErrors.xml_invalid, { params: { detail: 'it is not in UTF-8' }, cause })
  }
}

/** Seconds since 1970, as some sync clients tell the time of a file. `null`: nothing, or nothing sensible, is told. */
export function parseTime(header: string | undefined): number | null {
  const seconds = Number(header)
  const isSensible = header !== undefined && /^\d{1,11}(?:\.\d+)?$/.test(header.trim()) && seconds > 0
  return isSensible ? Math.round(seconds * 1000) : null
}

/** Size of a body, which the Finder tells in a header of its own while it sends it in chunks. */
export function sizeOf(request: FastifyRequest): number | undefined {
  const text = headerOf(request, 'content-length') ?? headerOf(request, 'x-expected-entity-length')
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
