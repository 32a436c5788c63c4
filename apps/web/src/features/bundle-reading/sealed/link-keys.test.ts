import { expect, test } from 'vitest'
import { mayBeKey } from './address-key.ts'
import { findAddressKey, readEnteredKey } from './link-keys.ts'
import { keyProblemOf } from '../components/key-form.tsx'

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
  [`${KEY.slice(0, -1)}9`, 'length'],
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

test('an address without a fragment has no key, and a heading is none', () => {
  expect(findAddressKey('')).toBeNull()
  expect(findAddressKey('#')).toBeNull()
  expect(findAddressKey(`#${KEY}`)).toHaveLength(32)
  expect(mayBeKey(`#${KEY}`)).toBe(true)
  expect(mayBeKey('#introduction')).toBe(false)
})
