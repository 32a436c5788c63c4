import { createHash, hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Body } from '@dropleaf/storage'
import { gatherBody, isShort } from './gather-body.ts'
import { relayBody, roomByChunks } from './relay-body.ts'

export interface ReceiveOptions {
  /** Announced size; `undefined` if unknown. */
  readonly sizeBytes?: number | undefined
  /** Reserves space before bytes are passed on. Receives the new total size. Not called for a short body. */
  readonly grow?: ((totalBytes: number) => Promise<void> | undefined) | undefined
  /** Runs after the last byte and before the storage commits. If this function fails, nothing is stored. */
  readonly beforeEnd?: (() => Promise<void>) | undefined
  /** Whether to hash the body. Hashing a gigabyte takes a CPU core more than half a second. */
  readonly hashes?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface ReceivedBody {
  readonly body: Body
  /** SHA-256 in hex, once the storage has the whole body; `null` if it is not hashed. */
  readonly sha256: () => string | null
}

/**
 * Prepares the body of a request for the storage. A short body is read into memory. Any other body is streamed, and its
 * errors are errors of the stream.
 * @throws {StorageError} for a short body: `storage.incomplete`, `storage.too_large`; the error of `beforeEnd`; the
 * reason of `signal`
 */
export async function receiveBody(
  source: Readable,
  { sizeBytes, grow, beforeEnd, hashes = true, signal }: ReceiveOptions,
): Promise<ReceivedBody> {
  if (isShort(sizeBytes)) {
    const bytes = await gatherBody(source, { sizeBytes, signal })
    await beforeEnd?.()
    return { body: bytes, sha256: () => (hashes ? hash('sha256', bytes, 'hex') : null) }
  }
  const sum = hashes ? createHash('sha256') : null
  const body = relayBody(source, {
    look: (chunk) => void sum?.update(chunk),
    makeRoom: grow && roomByChunks(grow),
    beforeEnd,
  })
  return { body, sha256: () => sum?.digest('hex') ?? null }
}
