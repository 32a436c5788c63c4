import type { Readable } from 'node:stream'
import type { BodyOptions } from './driver.ts'
import { StorageError } from './errors.ts'

/**
 * Runs work that reads a body only later. Until then, a listener on the body prevents an `error` event from ending the
 * process. The reader still gets the error. If the work fails or the signal aborts, the body is destroyed.
 */
export async function withBody<T>(body: Readable, use: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const stop = () => body.destroy(signal?.reason instanceof Error ? signal.reason : new Error('Aborted.'))
  body.on('error', () => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await use()
  } catch (error) {
    body.destroy()
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * Yields the chunks of a body, and counts their bytes.
 * @throws {StorageError} `storage.too_large` before the chunk that exceeds the limit; `storage.incomplete` at an early
 * end; the body's own error
 */
export async function* meter(body: Readable, o: BodyOptions): AsyncGenerator<Buffer> {
  const limitBytes = Math.min(o.sizeBytes ?? Infinity, o.maxBytes ?? Infinity)
  let receivedBytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : viewOf(chunk)
      receivedBytes += bytes.length
      if (receivedBytes > limitBytes) throw tooLarge(limitBytes)
      if (bytes.length > 0) yield bytes
    }
  } catch (error) {
    throw isPrematureClose(error) ? incomplete(receivedBytes, o.sizeBytes, error) : error
  }
  if (receivedBytes < (o.sizeBytes ?? 0)) throw incomplete(receivedBytes, o.sizeBytes)
}

function viewOf(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** Checks the limits on bytes already in memory. @throws {StorageError} `storage.too_large`, `storage.incomplete` */
export function requireWhole(bytes: Buffer, o: BodyOptions): void {
  const limitBytes = Math.min(o.sizeBytes ?? Infinity, o.maxBytes ?? Infinity)
  if (bytes.length > limitBytes) throw tooLarge(limitBytes)
  if (bytes.length < (o.sizeBytes ?? 0)) throw incomplete(bytes.length, o.sizeBytes)
}

/** @throws {StorageError} `storage.too_large` if the declared size exceeds the limit */
export function requireFits({ sizeBytes = 0, maxBytes = Infinity }: BodyOptions): void {
  if (sizeBytes > maxBytes) {
    throw new StorageError('storage.too_large', `${sizeBytes} bytes exceed the limit of ${maxBytes}.`)
  }
}

/** Whether a stream was destroyed before its end, without an error. */
function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

export function tooLarge(limitBytes: number): StorageError {
  return new StorageError('storage.too_large', `The body exceeds ${limitBytes} bytes.`)
}

function incomplete(receivedBytes: number, sizeBytes: number | undefined, cause?: unknown): StorageError {
  const expected = sizeBytes === undefined ? 'its end' : `${sizeBytes} bytes`
  return new StorageError('storage.incomplete', `The body stopped at ${receivedBytes}, before ${expected}.`, {
    cause,
  })
}
