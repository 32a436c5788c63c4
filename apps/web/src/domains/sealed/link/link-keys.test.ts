import { expect, test } from 'vitest'
import { findAddressKey, keyProblemOf, readEnteredKey } from './link-keys.ts'

const KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

test.each([KEY, `#${KEY}`, ` ${KEY}\n`, `https://a.example/s/x#${KEY}`, `a.example/s/x?y#${KEY}`])(
  '%j has the key',
  (text) => {
    expect([...readEnteredKey(text)]).toEqual(Array.from({ length: 32 }, (_, index) => index))
  },
)

test.each([
  ['', 'missing'],
  ['https://a.example/s/x', 'missing'],
  [KEY.slice(1), 'length'],
  [`${KEY}x`, 'length'],
  [`${KEY.slice(0, -1)}9`, 'ending'],
  ['not a key!', 'characters'],
])('%j is refused: %s', (text, problem) => {
  let error: unknown
  try {
    readEnteredKey(text)
  } catch (caught) {
    error = caught
  }
  expect(keyProblemOf(error)).toBe(problem)
})

test('an address without a fragment has no key', () => {
  expect(findAddressKey('')).toBeNull()
  expect(findAddressKey('#')).toBeNull()
  expect(findAddressKey(`#${KEY}`)).toHaveLength(32)
})
