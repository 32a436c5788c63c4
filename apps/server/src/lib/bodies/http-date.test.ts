import { expect, test } from 'vitest'
import { parseHttpDate } from './http-date.ts'

const INSTANT_MS = Date.UTC(1994, 10, 6, 8, 49, 37)

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  '%s is a date of HTTP',
  (text) => {
    expect(parseHttpDate(text)).toBe(INSTANT_MS)
  },
)

test.each([
  '2020',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 99 Nov 1994 08:49:37 GMT',
  '',
])('%s is none', (text) => {
  expect(parseHttpDate(text)).toBeNaN()
})
