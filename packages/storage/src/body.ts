import type { Readable } from 'node:stream'
import type { BodyOptions } from './driver.ts'
import { StorageError } from './errors.ts'

/**
 * Runs what reads a body after some other work. A body that fails before it is read would end the process, for want of
 * a listener; here it waits for its reader, who meets the error. Any failure destroys the body, and so does the signal.
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
 * The chunks of a body, counted.
 * @throws {StorageError} `storage.too_large` before the chunk that is too much; `storage.incomplete` at an early end;
 *   the body's own error.
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

/** The same of gathered bytes. @throws {StorageError} `storage.too_large`, `storage.incomplete` */
export function requireWhole(bytes: Buffer, o: BodyOptions): void {
  const limitBytes = Math.min(o.sizeBytes ?? Infinity, o.maxBytes ?? Infinity)
  if (bytes.length > limitBytes) throw tooLarge(limitBytes)
  if (bytes.length < (o.sizeBytes ?? 0)) throw incomplete(bytes.length, o.sizeBytes)
}

/** @throws {StorageError} `storage.too_large` when the declared size alone is too much. */
export function requireFits({ sizeBytes = 0, maxBytes = Infinity }: BodyOptions): void {
  if (sizeBytes > maxBytes) {
    throw new StorageError('storage.too_large', `${sizeBytes} bytes are more than ${maxBytes}.`)
  }
}

/** Whether a stream was destroyed, without an error, before its end. */
function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

export function tooLarge(limitBytes: number): StorageError {
  return new StorageError('storage.too_large', `The body has more than ${limitBytes} bytes.`)
}

function incomplete(receivedBytes: number, sizeBytes: number | undefined, cause?: unknown): StorageError {
  const expected = sizeBytes === undefined ? 'its end' : `${sizeBytes} bytes`
  return new StorageError('storage.incomplete', `The body stopped at ${receivedBytes}, before ${expected}.`, {
    cause,
  })
}
