import type { Readable } from 'node:stream'

const handedOver = new WeakSet<Readable>()

/** Says that nobody but a driver will look at the chunks of a body. @returns the body */
export function handOver<T extends Readable>(body: T): T {
  handedOver.add(body)
  return body
}

export const isHandedOver = (body: Readable): boolean => handedOver.has(body)

/** What a driver calls with each chunk of a body that it has copied or written. */
export const releaseOf = (body: Readable): ((chunk: Buffer) => void) => (isHandedOver(body) ? free : keep)

const keep = (): void => undefined

/**
 * Frees the memory of a chunk at once. V8 would do so at a later collection, until when a fast transfer leaves a
 * hundred megabytes, and each new chunk needs memory that no cache of the processor has.
 */
export function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
