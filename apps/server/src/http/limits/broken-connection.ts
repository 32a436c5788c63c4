import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type ErrorEnvelope, requestErrors } from '@dropleaf/contract'
import type { ConnectionError } from 'fastify'
import { messageFor } from '../../messages/index.ts'

const REASONS: Readonly<Record<string, readonly [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the address or the headers are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long'],
}

/**
 * Answers malformed or oversized HTTP, and headers that arrive too slowly, with the error envelope. Such input never
 * becomes a request.
 */
export function answerBrokenConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, detail] = REASONS[error.code] ?? ['400 Bad Request', 'this is not HTTP']
  const envelope: ErrorEnvelope = {
    code: Number.parseInt(status, 10),
    message: messageFor(requestErrors.refused.code, 'en', { detail }),
    success: false,
    data: null,
    error: { code: requestErrors.refused.code, requestId: randomUUID() },
  }
  const body = JSON.stringify(envelope)
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'access-control-allow-origin: *',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
