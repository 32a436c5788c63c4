import { storageErrors } from '@dropleaf/contract'
import type { ReadResult } from '@dropleaf/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { planBytes, type RequestedRange } from '../lib/byte-range.ts'
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
  const plan = planBytes(request, bytes)
  switch (plan.kind) {
    case 'not_modified':
      return reply.code(304).send()
    case 'head':
      return reply.header('content-length', bytes.sizeBytes).send()
    case 'unsatisfiable':
      reply.header('content-range', `bytes */${bytes.sizeBytes}`)
      throw new AppError(storageErrors.range_invalid)
    case 'whole':
      return reply.header('content-length', bytes.sizeBytes).send(await openBody(bytes, undefined))
    case 'part': {
      const { firstByte, lastByte } = plan.range
      reply
        .code(206)
        .header('content-range', `bytes ${firstByte}-${lastByte}/${bytes.sizeBytes}`)
        .header('content-length', lastByte - firstByte + 1)
      return reply.send(await openBody(bytes, plan.range))
    }
  }
}

async function openBody(bytes: BytesToSend, range: RequestedRange | undefined) {
  const { body } = await bytes.open(range)
  duringTransfer(body)
  return body
}
