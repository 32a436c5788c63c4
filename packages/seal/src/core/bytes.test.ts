import { expect, test } from 'vitest'
import { filled, hex } from '../testing/stored.ts'
import { fromBase64url, toBase64url } from './bytes.ts'

test.each([0, 1, 2, 3, 16, 32, 100_000])('%i bytes survive base64url', (length) => {
  const bytes = filled(length, 0xfb)
  const text = toBase64url(bytes)
  expect(text).toMatch(/^[\w-]*$/)
  expect(hex(fromBase64url(text) ?? filled(1, 0))).toBe(hex(bytes))
})

test.each(['A', 'AAAAA', 'AA==', 'A+', 'A/', 'AB', 'AAB', 'AA A'])('%j is no base64url', (text) => {
  expect(fromBase64url(text)).toBeNull()
})
