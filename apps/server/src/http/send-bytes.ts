import { storageErrors } from '@dropleaf/contract'
import type { ReadResult } from '@dropleaf/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { allowsRange, matchesEtag, parseRange } from '../lib/byte-range.ts'
import { duringTransfer } from '../lib/memory.ts'
import { forbidScripts } from './security-headers.ts'

/** Chromium's PDF viewer refuses sandboxed documents; a PDF has no scripts that could reach our origin. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

export interface BytesToSend {
  readonly sizeBytes: number
  readonly etag: string
  readonly modifiedAtMs: number
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
  /** Called once, unless the request is a HEAD or the client has the bytes already. */
  open(range: { firstByte: number; lastByte: number } | undefined): Promise<ReadResult>
}

function commonHeaders(reply: FastifyReply, bytes: BytesToSend): void {
  forbidScripts(reply)
  if (bytes.contentType === 'application/pdf') reply.header('content-security-policy', PDF_POLICY)
  reply
    .header('access-control-allow-origin', '*')
    .header(
      'access-control-expose-headers',
      'Content-Type, Content-Disposition, Content-Length, Content-Range, Accept-Ranges, ETag',
    )
    .header('accept-ranges', 'bytes')
    .header('etag', `"${bytes.etag}"`)
    .header('last-modified', new Date(bytes.modifiedAtMs).toUTCString())
    .header('cache-control', bytes.cacheControl)
    .header('content-disposition', bytes.contentDisposition)
    .type(bytes.contentType)
}

/**
 * Answers a GET or HEAD for bytes: whole, a range (206, 416), or not modified (304).
 * @throws {AppError} `storage.range_invalid`
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: BytesToSend,
): Promise<FastifyReply> {
  commonHeaders(reply, bytes)
  if (matchesEtag(request.headers['if-none-match'], bytes.etag)) return reply.code(304).send()
  const isRangeAllowed =
    request.method === 'GET' && allowsRange(request.headers['if-range'] as string | undefined, bytes)
  const range = isRangeAllowed ? parseRange(request.headers.range, bytes.sizeBytes) : null
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes.sizeBytes}`)
    throw new AppError(storageErrors.range_invalid)
  }
  if (request.method === 'HEAD') return reply.header('content-length', bytes.sizeBytes).send()
  if (range === null) {
    const { body } = await bytes.open(undefined)
    duringTransfer(body)
    return reply.header('content-length', bytes.sizeBytes).send(body)
  }
  const { body } = await bytes.open(range)
  duringTransfer(body)
  return reply
    .code(206)
    .header('content-range', `bytes ${range.firstByte}-${range.lastByte}/${bytes.sizeBytes}`)
    .header('content-length', range.lastByte - range.firstByte + 1)
    .send(body)
}
