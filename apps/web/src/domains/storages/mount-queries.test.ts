import { expect, test } from 'vitest'
import { openPathOf } from './mount-queries.ts'

test('a mount above the folder of a key opens at that folder', () => {
  expect(openPathOf('/photos', '/photos/2026')).toBe('/photos/2026')
  expect(openPathOf('/photos', '/photos')).toBe('/photos')
  expect(openPathOf('/photos/a', '/photos')).toBe('/photos/a')
  expect(openPathOf('/photos', '/')).toBe('/photos')
  expect(openPathOf('/pho', '/photos')).toBe('/pho')
})
