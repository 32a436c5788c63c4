import { expect, test } from 'vitest'
import { halfPercent } from './url-import.ts'

test('each half of the transfer ends one percent before the next begins', () => {
  expect([0, 0.01, 0.5, 0.99, 1].map(halfPercent)).toEqual([0, 0, 25, 49, 49])
  expect([0, 1].map((share) => 50 + halfPercent(share))).toEqual([50, 99])
})
