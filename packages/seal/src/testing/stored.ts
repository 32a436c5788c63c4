import type { Bytes } from '../core/bytes.ts'
import type { ManifestObject } from '../manifest/manifest.schema.ts'
import { placeOfPart, planObject } from '../objects/geometry.ts'
import type { ReadRange } from '../reading/segments.ts'
import type { EncryptingSource } from '../sending/encrypting-source.ts'
import { createEncryptingSource } from '../sending/encrypting-source.ts'
import type { PlainReader } from '../sending/plain-reader.ts'

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
export const unhex = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'hex'))
export const filled = (length: number, byte: number): Bytes => new Uint8Array(length).fill(byte)
export const counting = (length: number): Bytes => Uint8Array.from({ length }, (_, index) => index)
export const sha256 = async (bytes: Bytes): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

/** Bytes without a period, so that no two segments are alike. */
export function plainOf(length: number): Bytes {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 1) bytes[index] = Math.imul(index, 0x9e_37_79_b1) >>> 24
  return bytes
}

export const readerOf = (bytes: Bytes): PlainReader => ({
  sizeBytes: bytes.length,
  read: async ({ firstByte, endByte }) => bytes.slice(firstByte, endByte),
})

/** Encrypts all parts of a source, as an upload does. */
export async function sendAll(source: EncryptingSource): Promise<Bytes> {
  const stored = new Uint8Array(source.sizeBytes)
  const { partSizeBytes } = source.facts
  for (let first = 0; first < stored.length; first += partSizeBytes)
    stored.set(await source.slice(first, Math.min(stored.length, first + partSizeBytes)), first)
  return stored
}

export interface Stored {
  readonly plain: Bytes
  readonly bytes: Bytes
  readonly object: ManifestObject
}

/** Encrypts bytes as an object with small parts. Returns the stored bytes and the object's entry in the manifest. */
export async function store({
  plain,
  segmentsPerPart = 2,
  hidesSize = false,
  n = 0,
}: {
  plain: Bytes
  segmentsPerPart?: number
  hidesSize?: boolean
  n?: number
}): Promise<Stored> {
  const source = createEncryptingSource({ plain: readerOf(plain), segmentsPerPart, hidesSize })
  return { plain, bytes: await sendAll(source), object: source.describe(n) }
}

/** A storage that responds immediately and records the requested ranges. */
export function storageOf(bytes: Bytes, { tellsSize = true } = {}) {
  const log: string[] = []
  const readRange: ReadRange = async ({ firstByte, endByte }) => {
    log.push(`${firstByte}-${endByte}`)
    return { bytes: bytes.slice(firstByte, endByte), objectBytes: tellsSize ? bytes.length : null }
  }
  return { log, readRange }
}

/** The stored bytes of a part. */
export function partOf({ plain, bytes, object }: Stored, part: number): Bytes {
  const { storedFirst, storedEnd } = placeOfPart(
    planObject({ plainBytes: plain.length, segmentsPerPart: object.k }),
    part,
  )
  return bytes.slice(storedFirst, storedEnd)
}

/** Returns a generator of pseudo-random integers below a bound. The same seed gives the same integers (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
