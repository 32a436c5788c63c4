import { expect, test } from 'vitest'
import { expiryInstant, generatePassword, parseMaxViews, slugProblem } from './share-options.ts'

test('a blank suffix is fine, others follow the rules', () => {
  expect(slugProblem('')).toBeNull()
  expect(slugProblem('  ')).toBeNull()
  expect(slugProblem(' my-link_1 ')).toBeNull()
  expect(slugProblem('a b')).toBe('characters')
  expect(slugProblem('链接')).toBe('characters')
  expect(slugProblem('x'.repeat(51))).toBe('length')
  expect(slugProblem('Admin')).toBe('reserved')
})

test('a view limit is a whole number, blank is unlimited', () => {
  expect(parseMaxViews('')).toBe(0)
  expect(parseMaxViews(' 12 ')).toBe(12)
  for (const text of ['-1', '1.5', 'x', '99999999999', '2147483648']) expect(parseMaxViews(text)).toBeNull()
})

test('an expiry counts from now, 0 is never', () => {
  expect(expiryInstant(0)).toBeNull()
  expect(expiryInstant(24, Date.UTC(2030, 0, 1))).toBe('2030-01-02T00:00:00.000Z')
})

test('made-up passwords differ and avoid look-alikes', () => {
  const passwords = Array.from({ length: 200 }, generatePassword)
  expect(new Set(passwords).size).toBe(200)
  for (const password of passwords) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{14}$/)
})
