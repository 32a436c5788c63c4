import { createHash, hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Body } from '@dropleaf/storage'
import { gatherBody, isShort } from './gather-body.ts'
import { relayBody, roomByChunks } from './relay-body.ts'

export interface ReceiveOptions {
  /** Announced, in bytes; `undefined` where it is not known. */
  readonly sizeBytes?: number | undefined
  /** Asked for room before bytes pass, with the sum of all so far. */
  readonly grow?: ((totalBytes: number) => Promise<void> | undefined) | undefined
  /** Runs after the last byte and before the storage shows any; when it fails, nothing is stored. */
  readonly beforeEnd?: (() => Promise<void>) | undefined
  /** A gigabyte costs a core more than half a second to hash. */
  readonly hashes?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface ReceivedBody {
  readonly body: Body
  /** SHA-256 in hex, once the storage has all of the body; `null` where it is not hashed. */
  readonly sha256: () => string | null
}

/**
 * The body of a request on its way to the storage. A short one is gathered, any other streams.
 * @throws {StorageError} `storage.incomplete`, `storage.too_large`; what `beforeEnd` throws; the reason of `signal`
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
