import { expect, test } from 'vitest'
import { PARTS_MAX, planParts } from './parts.ts'

const MIB = 1024 ** 2
const TIB = 1024 ** 4

test.each([
  ['nothing is one empty part', 0, 5, 1],
  ['one byte', 1, 5, 1],
  ['exactly one part', 5 * MIB, 5, 1],
  ['one byte more', 5 * MIB + 1, 5, 2],
  ['the last size with parts of 5 MiB', 5 * MIB * PARTS_MAX, 5, PARTS_MAX],
  ['the first size with parts of 6 MiB', 5 * MIB * PARTS_MAX + 1, 6, 8334],
  ['100 GiB', 102_400 * MIB, 11, 9310],
  ['the largest object', 5 * 1024 * MIB * PARTS_MAX, 5 * 1024, PARTS_MAX],
])('%s', (_name, sizeBytes, partSizeMib, partCount) => {
  expect(planParts(sizeBytes)).toEqual({ partSizeBytes: partSizeMib * MIB, partCount })
})

test('every size needs at most 10,000 parts of the smallest possible size', () => {
  for (let sizeBytes = 1; sizeBytes < 48 * TIB; sizeBytes = Math.ceil(sizeBytes * 1.37)) {
    const { partSizeBytes, partCount } = planParts(sizeBytes)
    expect(partCount).toBeLessThanOrEqual(PARTS_MAX)
    expect(partSizeBytes * (partCount - 1)).toBeLessThan(sizeBytes)
    expect(partSizeBytes * partCount).toBeGreaterThanOrEqual(sizeBytes)
    const isSmallest = partSizeBytes === 5 * MIB || (partSizeBytes - MIB) * PARTS_MAX < sizeBytes
    expect(isSmallest).toBe(true)
  }
})

test('an object above the limit is too large', () => {
  expect(() => planParts(5 * 1024 * MIB * PARTS_MAX + 1)).toThrow(
    expect.objectContaining({ code: 'storage.too_large' }),
  )
})

test.each([-1, 1.5, Number.NaN, Infinity])('%d is not a size', (sizeBytes) => {
  expect(() => planParts(sizeBytes)).toThrow(RangeError)
})
