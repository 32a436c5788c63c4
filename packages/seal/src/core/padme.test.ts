import { expect, test } from 'vitest'
import { padme } from './padme.ts'

test.each([
  [0, 512],
  [1, 512],
  [512, 512],
  [513, 544],
  [1000, 1024],
  [1024, 1024],
  [1025, 1088],
  [10_000, 10_240],
  [1_000_000, 1_015_808],
  [10 * 2 ** 30, 10 * 2 ** 30],
  [10 * 2 ** 30 + 1, 10 * 2 ** 30 + 2 ** 27],
])('%i bytes are padded to %i', (size, padded) => {
  expect(padme(size)).toBe(padded)
})

test('padding adds at most 12 percent, and padding twice changes nothing', () => {
  const wrong: number[] = []
  for (let size = 513; size < 2 ** 50; size = Math.ceil(size * 1.0137)) {
    const padded = padme(size)
    if (padded < size || padded / size >= 1.12 || padme(padded) !== padded) wrong.push(size)
  }
  expect(wrong).toEqual([])
})
