import { expect, test } from 'vitest'
import { expiryInstant } from '../../lib/expiry-instant.ts'
import {
  areOptionsValid,
  generatePassword,
  NO_OPTIONS,
  openingOf,
  parseMaxViews,
  slugProblem,
} from './share-options.ts'
import { chooseOpening, editedOpening, limitViews, startingOpening } from './opening-edit.ts'

test('a blank suffix is valid, others must follow the rules', () => {
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

test('generated passwords differ and contain no characters that look alike', () => {
  const passwords = Array.from({ length: 200 }, generatePassword)
  expect(new Set(passwords).size).toBe(200)
  for (const password of passwords) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{14}$/)
})

test('a new share with a view limit or a PIN requires confirmation, unless its creator chose otherwise', () => {
  const openingWith = (changed: Partial<typeof NO_OPTIONS>) => openingOf({ ...NO_OPTIONS, ...changed })
  expect(openingWith({})).toBe('direct')
  expect(openingWith({ maxViews: '3' })).toBe('ask')
  expect(openingWith({ maxViews: '3', opening: 'direct' })).toBe('direct')
  expect(openingWith({ maxViews: '1', opening: 'burn' })).toBe('ask')
  expect(openingWith({ opening: 'ask' })).toBe('ask')
  expect(openingWith({ pin: '1234', opening: 'direct' })).toBe('ask')
})

test('a PIN has 4 to 8 digits', () => {
  for (const pin of ['', '1234', '12345678']) expect(areOptionsValid({ ...NO_OPTIONS, pin })).toBe(true)
  for (const pin of ['123', '123456789', '12a4']) expect(areOptionsValid({ ...NO_OPTIONS, pin })).toBe(false)
})

test('an edit keeps how a share opens, except for a first view limit and a PIN', () => {
  const kept = { chosen: 'keep', current: 'direct', isNowLimited: false, hasPin: false } as const
  expect(editedOpening(kept)).toBe('direct')
  expect(editedOpening({ ...kept, isNowLimited: true })).toBe('ask')
  expect(editedOpening({ ...kept, isNowLimited: true, chosen: 'direct' })).toBe('direct')
  expect(editedOpening({ ...kept, hasPin: true, chosen: 'direct' })).toBe('ask')
  expect(editedOpening({ ...kept, current: 'ask' })).toBe('ask')
})

test('burning after reading has the same effect in an edit: the share requires confirmation and opens once', () => {
  expect(chooseOpening('burn')).toEqual({ opening: 'burn', maxViews: '1' })
  expect(chooseOpening('ask')).toEqual({ opening: 'ask' })
  expect(editedOpening({ chosen: 'burn', current: 'direct', isNowLimited: false, hasPin: false })).toBe('ask')
  expect(startingOpening({ opening: 'ask', max_views: 1 })).toBe('burn')
  expect(startingOpening({ opening: 'ask', max_views: 2 })).toBe('keep')
  expect(startingOpening({ opening: 'direct', max_views: 1 })).toBe('keep')
  expect(limitViews({ opening: 'burn' }, ' 1 ')).toEqual({ opening: 'burn', maxViews: ' 1 ' })
  expect(limitViews({ opening: 'burn' }, '2')).toEqual({ opening: 'ask', maxViews: '2' })
  expect(limitViews({ opening: 'direct' }, '2')).toEqual({ opening: 'direct', maxViews: '2' })
})
