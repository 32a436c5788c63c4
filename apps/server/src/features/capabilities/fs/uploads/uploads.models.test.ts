import { PARTS_MAX, planParts } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { plainEtag, planUpload, sizeOfPart, spellNumbers } from './uploads.models.ts'

const MIB = 1024 ** 2

test('a requested part size is used if the storages accept it', () => {
  expect(planUpload(100 * MIB, 8 * MIB)).toEqual({ partSizeBytes: 8 * MIB, partCount: 13 })
  expect(planUpload(100 * MIB, 5 * MIB + 1)).toEqual({ partSizeBytes: 5 * MIB + 1, partCount: 20 })
  for (const wish of [null, 0, 1, 5 * MIB - 1, 6 * 1024 * MIB, 1e308])
    expect([wish, planUpload(100 * MIB, wish)]).toEqual([wish, planParts(100 * MIB)])
  const many = PARTS_MAX * 5 * MIB + 1
  expect(planUpload(many, 5 * MIB)).toEqual(planParts(many))
})

test('the sizes of all parts add up to the size of the file', () => {
  for (const sizeBytes of [0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 123_456_789]) {
    for (const wish of [null, 7 * MIB]) {
      const plan = { sizeBytes, ...planUpload(sizeBytes, wish) }
      const sizes = Array.from({ length: plan.partCount }, (_, index) => sizeOfPart(plan, index + 1))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(sizeBytes)
      expect(sizes.slice(0, -1).every((size) => size === plan.partSizeBytes)).toBe(true)
    }
  }
})

test('consecutive numbers are written as ranges', () => {
  expect(spellNumbers([])).toBe('')
  expect(spellNumbers([1, 2, 3, 7, 9, 10])).toBe('1-3, 7, 9-10')
  expect(spellNumbers([1, 3, 5, 7], 2)).toBe('1, 3, …')
})

test('entity tags are accepted with or without quotes', () => {
  for (const text of ['abc', '"abc"', 'W/"abc"', ' "abc" ']) expect(plainEtag(text)).toBe('abc')
  expect(plainEtag('"')).toBe('"')
})
