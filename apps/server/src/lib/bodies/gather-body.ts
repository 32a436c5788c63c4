import type { Readable } from 'node:stream'
import { StorageError } from '@dropleaf/storage'

/** Size limit for bodies that are read into memory. Their size must be known in advance. */
const SHORT_MAX_BYTES = 256 * 1024

export const isShort = (sizeBytes: number | undefined): sizeBytes is number =>
  sizeBytes !== undefined && sizeBytes <= SHORT_MAX_BYTES

/**
 * Reads a short body into memory, because streaming it would cost more than all other work.
 * @param sizeBytes the announced size
 * @throws {StorageError} `storage.incomplete`, `storage.too_large`; the reason of `signal`
 */
export async function gatherBody(
  source: Readable,
  { sizeBytes, signal }: { sizeBytes: number; signal?: AbortSignal | undefined },
): Promise<Buffer> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let receivedBytes = 0
  const take = (chunk: Buffer) => {
    receivedBytes += chunk.length
    if (receivedBytes > sizeBytes) {
      source.off('data', take)
      reject(new StorageError('storage.too_large', `The body has more than ${sizeBytes} bytes.`))
    } else chunks.push(chunk)
  }
  const breakOff = (cause?: unknown) =>
    reject(new StorageError('storage.incomplete', `The body stopped at ${receivedBytes}.`, { cause }))
  source.on('error', breakOff)
  source.on('close', () => {
    if (!source.readableEnded) breakOff()
  })
  source.on('end', () => {
    if (receivedBytes < sizeBytes) breakOff()
    else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
  })
  // Checks the source, because it may have failed before the listeners were added.
  if (source.destroyed && !source.readableEnded) breakOff(source.errored)
  source.on('data', take)
  const stop = () => reject(signal?.reason as Error)
  signal?.addEventListener('abort', stop)
  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
