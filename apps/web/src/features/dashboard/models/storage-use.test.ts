import { expect, test } from 'vitest'
import { distribution, inOrder, quotaToneOf, type StorageUse } from './storage-use.ts'

const storage = (name: string, usedStorage: number, totalStorage: number | null = null): StorageUse => ({
  id: name,
  name,
  providerType: 'Other',
  bucketName: name,
  usedStorage,
  totalStorage: totalStorage ?? 1024 ** 5,
  hasLimit: totalStorage !== null,
  fileCount: 1,
  usagePercent: totalStorage ? Math.min(100, Math.round((usedStorage / totalStorage) * 100)) : 0,
})

test.each([
  [60, 'calm'],
  [61, 'high'],
  [80, 'high'],
  [81, 'over'],
  [99.9, 'over'],
  [100, 'full'],
  [120, 'full'],
])('%d of 100 bytes are %s', (used, tone) => {
  expect(quotaToneOf(storage('a', used, 100))).toBe(tone)
})

test('a storage without a capacity is never nearly full', () => {
  expect(quotaToneOf(storage('a', 1e15))).toBeNull()
})

test('nearly full storages are first, then the largest ones', () => {
  const all = [storage('small', 1), storage('full', 9, 10), storage('large', 100), storage('also', 1)]
  expect(inOrder(all).map(({ name }) => name)).toEqual(['full', 'large', 'also', 'small'])
})

test('percentages are of bytes; small kinds are combined, and empty ones omitted', () => {
  const all = [storage('a', 10), storage('b', 60), storage('c', 20), storage('d', 10), storage('e', 0)]
  const parts = distribution(all, 3).map(({ storage: one, share, count }) => [
    one?.name ?? null,
    share,
    count,
  ])
  expect(parts).toEqual([
    ['b', 0.6, 1],
    ['c', 0.2, 1],
    [null, 0.2, 2],
  ])
  expect(distribution(all, 4)).toHaveLength(4)
  expect(distribution([storage('e', 0)], 3)).toEqual([])
})
