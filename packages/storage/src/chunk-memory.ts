import type { Readable } from 'node:stream'

const handedOver = new WeakSet<Readable>()

/** Declares that only the driver reads the chunks of this body. @returns the body */
export function handOver<T extends Readable>(body: T): T {
  handedOver.add(body)
  return body
}

export const isHandedOver = (body: Readable): boolean => handedOver.has(body)

/** Returns the function that a driver calls with each chunk that it has copied or written. */
export const releaseOf = (body: Readable): ((chunk: Buffer) => void) => (isHandedOver(body) ? free : keep)

const keep = (): void => undefined

/**
 * Frees the memory of a chunk immediately, unless the chunk is only a part of a buffer. V8 would free this memory only
 * at a later garbage collection. By then, a fast transfer would occupy a hundred megabytes, and each new chunk would
 * use memory that is not in a processor cache.
 */
export function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
