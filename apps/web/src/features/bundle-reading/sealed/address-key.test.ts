import { expect, test } from 'vitest'
import { mayBeKey } from './address-key.ts'

test('a fragment of the length of a key may be one, and a heading is none', () => {
  expect(mayBeKey(`#${'A'.repeat(43)}`)).toBe(true)
  expect(mayBeKey('#introduction')).toBe(false)
  expect(mayBeKey(`#user-content-${'a'.repeat(30)}`)).toBe(false)
})
