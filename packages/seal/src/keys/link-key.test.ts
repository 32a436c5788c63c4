import { expect, test } from 'vitest'
import { counting } from '../testing/stored.ts'
import { createSecret, formatLinkKey, parseLinkKey } from './link-key.ts'

const KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

test('a key is read from the end of a link', () => {
  expect(formatLinkKey(counting(32))).toBe(KEY)
  for (const text of [KEY, `#${KEY}`, ` #${KEY}\n`]) expect(parseLinkKey(text)).toEqual(counting(32))
})

test('new keys differ', () => {
  expect(new Set(Array.from({ length: 100 }, () => formatLinkKey(createSecret()))).size).toBe(100)
})

test.each([
  ['', 'key.missing'],
  ['#', 'key.missing'],
  [KEY.slice(1), 'key.length'],
  [`${KEY}A`, 'key.length'],
  [`${KEY.slice(1)}.`, 'key.characters'],
  [`${KEY.slice(1)}=`, 'key.characters'],
  [KEY.replace(/8$/, '9'), 'key.ending'],
])('the key %j is refused', (text, code) => {
  expect(() => parseLinkKey(text)).toThrow(expect.objectContaining({ code }))
})
