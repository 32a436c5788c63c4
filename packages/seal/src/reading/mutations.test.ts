import { expect, test } from 'vitest'
import { type Bytes, concat, toBase64url } from '../core/bytes.ts'
import { isTampering } from '../core/errors.ts'
import { deriveShareKeys } from '../keys/schedule.ts'
import { openManifest, sealManifest } from '../manifest/manifest.ts'
import type { Manifest } from '../manifest/manifest.schema.ts'
import { SEALED_SEGMENT_BYTES, SEGMENT_BYTES } from '../objects/geometry.ts'
import { encryptPart } from '../objects/part-cipher.ts'
import { counting, filled, hex, plainOf, randomFrom, storageOf, store, partOf } from '../testing/stored.ts'
import { createSealedSource } from './sealed-source.ts'

/** `SEAL_MUTATIONS=10000` tries 10,000 mutations. */
const MUTATIONS = Number(process.env.SEAL_MUTATIONS ?? 1000)
/** This timeout stops only hanging tests, even on a busy machine. */
const TIMEOUT_MS = 120_000 + MUTATIONS * 100

/** The object has two parts: one of two segments, and one of a single segment. */
const plain = plainOf(2 * SEGMENT_BYTES + 1000)
const [original, other] = [await store({ plain }), await store({ plain, n: 1 })]
/** The second part of the same plain bytes, encrypted with the right key and a salt that the sender never used. */
const unlisted = await encryptPart({
  dek: new Uint8Array(Buffer.from(original.object.dek, 'base64url')),
  part: 1,
  salt: filled(16, 9),
  plain: plain.subarray(2 * SEGMENT_BYTES),
  isLast: true,
})

const salt = filled(16, 0xa0)
const { manifestKey } = await deriveShareKeys({ secret: counting(32), salt, passwordKey: null })
const place = (revision: number) => ({
  bundleId: '00112233-4455-6677-8899-aabbccddeeff',
  revision,
  salts: { salt: toBase64url(salt), kdf: null },
})
const manifest: Manifest = { v: 1, page: { type: 'text/plain', text: 'x' }, objects: [], items: [] }
const revisions = await Promise.all(
  [1, 2, 3].map((revision) => sealManifest({ manifest, manifestKey, place: place(revision) })),
)

type Random = (below: number) => number

const splice = (bytes: Bytes, { at, drop, put }: { at: number; drop: number; put: Uint8Array }): Bytes =>
  concat(bytes.subarray(0, at), put, bytes.subarray(at + drop))

/** Returns the position of the first byte of a segment in the stored object. */
const segmentAt = (segment: number) => 32 + segment * SEALED_SEGMENT_BYTES + (segment >= 2 ? 32 : 0)
const segmentOf = (bytes: Bytes, segment: number): Bytes =>
  bytes.slice(segmentAt(segment), segmentAt(segment) + SEALED_SEGMENT_BYTES)

/** Returns a random length: often a few bytes, sometimes a whole segment. */
const lengthFrom = (random: Random) => [1, 16, 32, 1 + random(5000), SEALED_SEGMENT_BYTES][random(5)] ?? 1

const MUTANTS: Record<string, (bytes: Bytes, random: Random) => Bytes> = {
  flip(bytes, random) {
    const changed = bytes.slice()
    // Headers and tags are so short that random positions would rarely hit them.
    const at =
      random(2) === 0
        ? random(bytes.length)
        : [random(32), segmentAt(1) - 1 - random(16), segmentAt(2) - 1 - random(48)][random(3)]
    if (at !== undefined) changed[at] = (changed[at] ?? 0) ^ (1 << random(8))
    return changed
  },
  drop: (bytes, random) =>
    splice(bytes, { at: random(bytes.length), drop: lengthFrom(random), put: new Uint8Array() }),
  swapBytes(bytes, random) {
    const length = Math.min(lengthFrom(random), bytes.length / 2)
    const first = random(Math.floor(bytes.length / 2 - length + 1))
    const second = Math.floor(bytes.length / 2) + random(Math.floor(bytes.length / 2 - length + 1))
    const changed = bytes.slice()
    changed.set(bytes.subarray(second, second + length), first)
    changed.set(bytes.subarray(first, first + length), second)
    return changed
  },
  swapSegments(bytes) {
    const changed = bytes.slice()
    changed.set(segmentOf(bytes, 1), segmentAt(0))
    changed.set(segmentOf(bytes, 0), segmentAt(1))
    return changed
  },
  repeat(bytes, random) {
    const at = random(bytes.length)
    const put = bytes.slice(at, at + lengthFrom(random))
    const drop = random(2) === 0 ? 0 : put.length
    return splice(bytes, { at: random(2) === 0 ? at : random(bytes.length), drop, put })
  },
  repeatSegment(bytes) {
    const changed = bytes.slice()
    changed.set(segmentOf(bytes, 0), segmentAt(1))
    return changed
  },
  truncate: (bytes, random) =>
    bytes.slice(
      0,
      [random(bytes.length), bytes.length - 1 - random(50), segmentAt(2) - 32, segmentAt(1)][random(4)],
    ),
  extend: (bytes, random) =>
    concat(
      bytes,
      [filled(lengthFrom(random), random(256)), segmentOf(bytes, 1), partOf(original, 1)][random(3)] ?? bytes,
    ),
  otherSegment(bytes, random) {
    const segment = random(2)
    const changed = bytes.slice()
    changed.set(segmentOf(other.bytes, segment), segmentAt(segment))
    return changed
  },
  otherPart: (_, random) =>
    random(2) === 0
      ? concat(partOf(other, 0), partOf(original, 1))
      : concat(partOf(original, 0), partOf(other, 1)),
  otherObject: () => other.bytes,
  wrongSalt: () => concat(partOf(original, 0), unlisted),
  partTwice: (_, random) =>
    random(2) === 0
      ? concat(partOf(original, 0), partOf(original, 0))
      : concat(partOf(original, 1), partOf(original, 0)),
  renumbered(bytes, random) {
    const changed = bytes.slice()
    changed[7] = 1 + random(255)
    return changed
  },
  plain: () => concat(plain, new Uint8Array(original.bytes.length - plain.length)),
}
const KINDS = Object.values(MUTANTS)

/** Returns the first position at which the bytes differ from the original. */
function firstDifference(bytes: Bytes): number {
  let low = 0
  let high = Math.min(bytes.length, original.bytes.length)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const isEqual = Buffer.compare(bytes.subarray(low, middle), original.bytes.subarray(low, middle)) === 0
    if (isEqual) low = middle
    else high = middle - 1
  }
  return low
}

async function isOpened(bytes: Bytes): Promise<boolean> {
  try {
    // The storage reports the size of the object only if bytes were appended, because the reader can detect appended
    // bytes only by the size.
    const tellsSize = bytes.length > original.bytes.length
    const source = createSealedSource(original.object, storageOf(bytes, { tellsSize }).readRange)
    // The changed segment is read first. If it is refused, the other segments do not have to be read, which saves most
    // of the time.
    const segment = firstDifference(bytes) / SEALED_SEGMENT_BYTES
    await source.read(Math.min(source.size - 1, Math.floor(segment) * SEGMENT_BYTES), 1)
    let length = 0
    for await (const piece of source.stream()) length += piece.length
    return length === plain.length
  } catch (error) {
    if (!isTampering(error)) throw error
    return false
  }
}

test(`of ${MUTATIONS} random mutations of an object, none is accepted`, { timeout: TIMEOUT_MS }, async () => {
  expect(await isOpened(original.bytes)).toBe(true)
  const random = randomFrom(20_261_128)
  const accepted: string[] = []
  for (let index = 0; index < MUTATIONS; index += 1) {
    const [name, mutate] = Object.entries(MUTANTS)[index % KINDS.length] ?? []
    const changed = mutate?.(original.bytes, random) ?? original.bytes
    const isSame = Buffer.compare(changed, original.bytes) === 0
    if (!isSame && (await isOpened(changed))) accepted.push(`${name} ${index}`)
  }
  expect(accepted).toEqual([])
})

test(
  `of ${MUTATIONS} random mutations of a manifest, none is accepted`,
  { timeout: TIMEOUT_MS },
  async () => {
    const random = randomFrom(20_261_129)
    const [sealed = filled(0, 0), second = filled(0, 0)] = revisions
    const accepted: string[] = []
    const bytesFrom = (length: number) => Uint8Array.from({ length }, () => random(256))
    const kinds: (() => Bytes)[] = [
      () => sealed.map((byte, at) => (at === random(sealed.length) ? byte ^ (1 << random(8)) : byte)),
      () => splice(sealed, { at: random(sealed.length), drop: 1 + random(40), put: new Uint8Array() }),
      () => splice(sealed, { at: random(sealed.length), drop: 0, put: bytesFrom(1 + random(40)) }),
      () => sealed.slice(0, random(sealed.length)),
      () => concat(sealed, bytesFrom(1 + random(40))),
      () => revisions[1 + random(2)] ?? sealed,
      () => concat(second.subarray(0, 12), sealed.subarray(12)),
      () => concat(sealed.subarray(0, -16), second.subarray(-16)),
      () => bytesFrom(sealed.length),
    ]
    for (let index = 0; index < MUTATIONS; index += 1) {
      const changed = kinds[index % kinds.length]?.() ?? sealed
      if (hex(changed) === hex(sealed)) continue
      const opened = await openManifest({ sealed: changed, manifestKey, place: place(1) }).catch(isTampering)
      if (opened !== true) accepted.push(`${index % kinds.length} ${index}`)
    }
    expect(accepted).toEqual([])
  },
)
