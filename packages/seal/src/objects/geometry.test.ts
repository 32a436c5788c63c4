import { MIB, sealedSizeLimit } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import {
  findGeometry,
  HEADER_BYTES,
  PART_SEGMENTS_MAX,
  PARTS_MAX,
  placeOfPart,
  placeOfSegment,
  planObject,
  SEGMENT_BYTES,
} from './geometry.ts'

const GIB = 1024 ** 3

test('numbers of the format', () => {
  expect(planObject({ plainBytes: 0 })).toMatchObject({ storedBytes: 48, segmentCount: 1, partCount: 1 })
  expect(planObject({ plainBytes: 10 * GIB })).toEqual({
    plainBytes: 10 * GIB,
    storedBytes: 10 * GIB + 696_320,
    segmentCount: 40_960,
    segmentsPerPart: 32,
    partCount: 1280,
    storedPartBytes: 8_389_152,
    plainPartBytes: 8_388_608,
  })
  expect(planObject({ plainBytes: 700_001, segmentsPerPart: 2 })).toMatchObject({ storedBytes: 700_113 })
})

test('parts grow only when there would be more than 10,000', () => {
  const last = 10_000 * 32 * SEGMENT_BYTES
  expect(planObject({ plainBytes: last })).toMatchObject({ segmentsPerPart: 32, partCount: 10_000 })
  expect(planObject({ plainBytes: last + 1 })).toMatchObject({ segmentsPerPart: 33 })
  expect(planObject({ plainBytes: 312 * GIB })).toMatchObject({ segmentsPerPart: 128 })
})

test('parts have at most 5 GiB, and objects at most 10,000 of them', () => {
  const { storedPartBytes } = planObject({ plainBytes: 0, segmentsPerPart: PART_SEGMENTS_MAX })
  expect(storedPartBytes).toBeLessThanOrEqual(5 * GIB)
  expect(storedPartBytes + SEGMENT_BYTES + 16).toBeGreaterThan(5 * GIB)
  const largest = PARTS_MAX * PART_SEGMENTS_MAX * SEGMENT_BYTES
  expect(planObject({ plainBytes: largest })).toMatchObject({ partCount: PARTS_MAX })
  const tooLarge = [
    { plainBytes: largest + 1 },
    { plainBytes: -1 },
    { plainBytes: 1.5 },
    { plainBytes: Number.MAX_SAFE_INTEGER + 1 },
    { plainBytes: 1, segmentsPerPart: 0 },
    { plainBytes: 1, segmentsPerPart: 1.5 },
    { plainBytes: 1, segmentsPerPart: PART_SEGMENTS_MAX + 1 },
    { plainBytes: PARTS_MAX * SEGMENT_BYTES + 1, segmentsPerPart: 1 },
  ]
  for (const plan of tooLarge)
    expect(() => planObject(plan)).toThrow(expect.objectContaining({ code: 'object.too_large' }))
})

const SIZES = [0, 1, 262_143, 262_144, 262_145, 524_287, 524_288, 524_289, 8_388_607, 8_388_608, 8_388_609]

test.each([1, 2, 3, 32])(
  'with %i segments in a part, the stored size tells the plain one',
  (segmentsPerPart) => {
    for (const plainBytes of [...SIZES, 10 * GIB - 1, 3 * 262_144]) {
      if (plainBytes > PARTS_MAX * segmentsPerPart * SEGMENT_BYTES) continue
      const geometry = planObject({ plainBytes, segmentsPerPart })
      expect(findGeometry({ storedBytes: geometry.storedBytes, segmentsPerPart })).toEqual(geometry)
    }
  },
)

test('sizes that no object has', () => {
  const { storedPartBytes } = planObject({ plainBytes: 0, segmentsPerPart: 2 })
  const sizes = [-1, 0, 1, 31, 32, 47, storedPartBytes + 1, storedPartBytes + 48, storedPartBytes + 32, 1.5]
  for (const storedBytes of sizes) expect(findGeometry({ storedBytes, segmentsPerPart: 2 })).toBeNull()
  expect(findGeometry({ storedBytes: 48 + 262_144 + 16, segmentsPerPart: 2 })).toBeNull()
})

test('parts and segments cover an object without gaps', () => {
  for (const plainBytes of SIZES) {
    const geometry = planObject({ plainBytes, segmentsPerPart: 2 })
    let stored = 0
    for (let segment = 0; segment < geometry.segmentCount; segment += 1) {
      const { index, part, storedFirst, storedEnd, isLast } = placeOfSegment(geometry, segment)
      if (index === 0) {
        expect(placeOfPart(geometry, part).storedFirst).toBe(stored)
        stored += HEADER_BYTES
      }
      expect(storedFirst).toBe(stored)
      stored = storedEnd
      expect(isLast).toBe(stored === geometry.storedBytes)
    }
    const last = placeOfPart(geometry, geometry.partCount - 1)
    expect(last).toMatchObject({ isLast: true, plainEnd: plainBytes, storedEnd: stored })
  }
})

test('a byte beyond 2^32 is found', () => {
  const geometry = planObject({ plainBytes: 10 * GIB })
  const segment = Math.floor((5 * GIB + 1) / SEGMENT_BYTES)
  expect(placeOfSegment(geometry, segment)).toEqual({
    part: 640,
    index: 0,
    isLast: false,
    storedFirst: 640 * 8_389_152 + 32,
    storedEnd: 640 * 8_389_152 + 32 + 262_160,
  })
})

test('the server accepts a file of exactly its size limit', () => {
  for (const limit of [8 * MIB, 8 * MIB + 1, 100 * MIB, 999_999_999, 10 * GIB])
    expect([limit, sealedSizeLimit(limit)]).toEqual([limit, planObject({ plainBytes: limit }).storedBytes])
})
