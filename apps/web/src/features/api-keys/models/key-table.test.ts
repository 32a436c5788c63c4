import { expect, test } from 'vitest'
import type { ApiKey } from '../api/api-keys.api.ts'
import { arrangeKeys, hasExpired, neverExpires } from './key-table.ts'

const key = (name: string, change: Partial<ApiKey> = {}): ApiKey => ({
  id: name,
  name,
  key: `secret-of-${name}`,
  key_masked: 'sec…',
  basic_path: '/',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '9999-12-31T00:00:00.000Z',
  text_permission: 1,
  file_permission: 0,
  mount_permission: 0,
  mount_read_only: 0,
  last_used: null,
  ...change,
})

const names = (keys: readonly ApiKey[]) => keys.map(({ name }) => name)
const all = [
  key('phone 10', { created_at: '2026-01-03T00:00:00.000Z' }),
  key('phone 9', { basic_path: '/m/Photos' }),
  key('备份', { created_at: '2026-01-02T00:00:00.000Z', last_used: '2026-02-01T00:00:00.000Z' }),
]

test('names are sorted with their numbers by value, and an unknown order is by creation', () => {
  expect(names(arrangeKeys(all, { words: 'phone', sortBy: 'name', order: 'asc' }))).toEqual([
    'phone 9',
    'phone 10',
  ])
  expect(names(arrangeKeys(all, { words: '', sortBy: 'toString', order: 'desc' }))).toEqual([
    'phone 10',
    '备份',
    'phone 9',
  ])
  expect(names(arrangeKeys(all, { words: '', sortBy: 'used', order: 'desc' }))[0]).toBe('备份')
})

test('a search finds names and paths ignoring case, and a key only if it is complete', () => {
  const found = (words: string) => names(arrangeKeys(all, { words, sortBy: 'name', order: 'asc' }))
  expect(found('photos')).toEqual(['phone 9'])
  expect(found(' 备 ')).toEqual(['备份'])
  expect(found('secret')).toEqual([])
  expect(found('secret-of-备份')).toEqual(['备份'])
})

test('a key without an end never expires', () => {
  const [first] = all
  expect(first && neverExpires(first)).toBe(true)
  const ended = key('old', { expires_at: '2026-01-02T00:00:00.000Z' })
  expect([neverExpires(ended), hasExpired(ended, Date.UTC(2026, 0, 3))]).toEqual([false, true])
  expect(hasExpired(ended, Date.UTC(2026, 0, 1))).toBe(false)
})
