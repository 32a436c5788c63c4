import { expect, test } from 'vitest'
import { listsShare } from './own-share-model.ts'

test('only the share with this kind and exactly this suffix is the own one', () => {
  const shares = [
    { kind: 'text', slug: 'abc' },
    { kind: 'file', slug: 'abcd' },
    { kind: 'bundle', slug: 'ab' },
  ] as const
  expect(listsShare(shares, { kind: 'paste', slug: 'abc' })).toBe(true)
  expect(listsShare(shares, { kind: 'file', slug: 'abc' })).toBe(false)
  expect(listsShare(shares, { kind: 'paste', slug: 'ab' })).toBe(false)
  expect(listsShare(shares, { kind: 'file', slug: 'abcd' })).toBe(true)
  expect(listsShare(shares, { kind: 'bundle', slug: 'ab' })).toBe(false)
})
