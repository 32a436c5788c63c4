import type { Readable } from 'node:stream'
import { requestErrors, storageErrors } from '@dropleaf/contract'
import type { ReadResult } from '@dropleaf/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import {
  type BodyVersion,
  type BytesPlan,
  planBytes,
  type RequestedRange,
} from '../../lib/bodies/byte-range.ts'
import { harmlessType } from '../../lib/bodies/content-headers.ts'
import { forbidScripts } from './security-headers.ts'

/**
 * This policy has no sandbox, because Chromium's PDF viewer refuses sandboxed documents, and scripts in a PDF cannot
 * reach our origin. Web clients of other origins are allowed to frame PDFs, because a PDF contains nothing that
 * clickjacking can abuse.
 */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"

export interface BytesToSend extends BodyVersion {
  readonly sizeBytes: number
  readonly contentType: string
  /** Content coding of the bytes. Ranges refer to the encoded bytes. */
  readonly contentEncoding?: string | undefined
  readonly contentDisposition: string
  readonly cacheControl: string
  /**
   * Called if the response contains bytes. Called again only if the bytes were replaced since the check, and the new
   * version needs another range.
   */
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
    .type(harmlessType(bytes.contentType))
  if (bytes.contentEncoding !== undefined) reply.header('content-encoding', bytes.contentEncoding)
}

/** Number of attempts if the bytes are replaced between the check and the opening. */
const TRIES = 5

const RETRY_SECONDS = 1

const rangeOf = (plan: BytesPlan): RequestedRange | undefined =>
  plan.kind === 'part' ? plan.range : undefined

const isSameRange = (a: RequestedRange | undefined, b: RequestedRange | undefined): boolean =>
  a?.firstByte === b?.firstByte && a?.lastByte === b?.lastByte

/**
 * Opens the bytes to send.
 * @returns the version that exists now, which may be newer than the checked version; it contains a `body` if the body
 * can be sent unchanged
 */
async function openPlanned(request: FastifyRequest, bytes: BytesToSend, range: RequestedRange | undefined) {
  const { body, stat } = await bytes.open(range)
  const { sizeBytes, etag, modifiedAtMs, contentEncoding } = stat
  if (sizeBytes === bytes.sizeBytes && etag === bytes.etag)
    return { bytes: { ...bytes, contentEncoding }, body }
  const now = { ...bytes, sizeBytes, etag, modifiedAtMs, contentEncoding }
  const plan = planBytes(request, now)
  const isSent = plan.kind === 'whole' || plan.kind === 'part'
  if (isSent && isSameRange(rangeOf(plan), range)) return { bytes: now, body }
  body.destroy()
  return { bytes: now, body: null }
}

/**
 * Responds to a GET or HEAD with all bytes (200), a range (206, 416), or without a body (304). Retries if the bytes are
 * replaced meanwhile, so that a response never mixes the size of one version with the content of another.
 * @throws {AppError} `storage.range_invalid`, `request.condition_failed`; `request.unavailable` if the bytes are
 * replaced repeatedly; the error of `open`
 */
export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  seen: BytesToSend,
): Promise<FastifyReply> {
  let bytes = seen
  for (let tries = 0; tries < TRIES; tries += 1) {
    const plan = planBytes(request, bytes)
    if (plan.kind === 'not_modified') {
      commonHeaders(reply, bytes)
      return reply.code(304).send()
    }
    if (plan.kind === 'condition_failed') throw new AppError(requestErrors.condition_failed)
    if (plan.kind === 'head') {
      commonHeaders(reply, bytes)
      return reply.header('content-length', bytes.sizeBytes).send()
    }
    if (plan.kind === 'unsatisfiable') {
      commonHeaders(reply, bytes)
      reply.header('content-range', `bytes */${bytes.sizeBytes}`)
      throw new AppError(storageErrors.range_invalid)
    }
    const range = rangeOf(plan)
    const opened = await openPlanned(request, bytes, range)
    bytes = opened.bytes
    const { body } = opened
    if (body) {
      commonHeaders(reply, bytes)
      return sendBody(reply, bytes, { body, range })
    }
  }
  throw new AppError(requestErrors.unavailable, { retryAfterSeconds: RETRY_SECONDS })
}

function sendBody(
  reply: FastifyReply,
  { sizeBytes }: BytesToSend,
  { body, range }: { body: Readable; range: RequestedRange | undefined },
): FastifyReply {
  if (!range) return reply.header('content-length', sizeBytes).send(body)
  const { firstByte, lastByte } = range
  return reply
    .code(206)
    .header('content-range', `bytes ${firstByte}-${lastByte}/${sizeBytes}`)
    .header('content-length', lastByte - firstByte + 1)
    .send(body)
}
