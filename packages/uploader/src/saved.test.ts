import { expect, test } from 'vitest'
import { isSameFile, isSavedAlive } from './saved.ts'

const HOUR_MS = 3_600_000

test('an interrupted upload can be resumed for a day', () => {
  expect(isSavedAlive({ savedAtMs: 0 }, 24 * HOUR_MS - 1)).toBe(true)
  expect(isSavedAlive({ savedAtMs: 0 }, 24 * HOUR_MS)).toBe(false)
})

test('a file is the same only if name, size and date are equal', () => {
  const begun = { name: 'a.bin', size: 10, lastModified: 1 }
  expect(isSameFile({ ...begun }, begun)).toBe(true)
  expect(isSameFile({ ...begun, name: 'b.bin' }, begun)).toBe(false)
  expect(isSameFile({ ...begun, size: 11 }, begun)).toBe(false)
  expect(isSameFile({ ...begun, lastModified: 2 }, begun)).toBe(false)
})
