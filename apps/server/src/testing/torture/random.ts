import { createCipheriv, createHash } from 'node:crypto'

/** Random numbers that are reproducible by their seed. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from `min` to `max`, both inclusive. */
  between(min: number, max: number): number
  pick<T>(list: readonly T[]): T | undefined
}

/** Creates a Mulberry32 generator, because this algorithm is small and good enough to choose operations. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Returns incompressible bytes, which are always the same for a label and different for each label. */
export function bytesOf(label: string, sizeBytes: number): Buffer<ArrayBuffer> {
  const key = createHash('sha256').update(label).digest()
  return Buffer.from(createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes)))
}
