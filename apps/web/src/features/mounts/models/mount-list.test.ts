import type { IndexStatus } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { isIndexing, searchMounts } from './mount-list.ts'

const mounts = [
  { name: 'Photos', mount_path: '/photos', remark: null, storage: 'Disk' },
  { name: '备份', mount_path: '/backup', remark: 'Every night', storage: 'R2' },
]
const found = (words: string) => searchMounts(mounts, words, ({ storage }) => storage).map(({ name }) => name)

test('a search covers name, path, remark and storage, ignoring case', () => {
  expect(found(' ')).toEqual(['Photos', '备份'])
  expect(found('PHOTO')).toEqual(['Photos'])
  expect(found(' night')).toEqual(['备份'])
  expect(found('r2')).toEqual(['备份'])
  expect(found('备')).toEqual(['备份'])
  expect(found('nothing')).toEqual([])
})

test('a requested index counts as running until it has started and ended', () => {
  const status = (state: IndexStatus['state'], startedAt: string | null) =>
    ({ state, startedAt }) as IndexStatus
  const request = { configId: 'a', startedAt: 'monday', wasRunning: false }
  expect(isIndexing(status('done', 'monday'), undefined)).toBe(false)
  expect(isIndexing(status('done', 'monday'), request)).toBe(true)
  expect(isIndexing(status('crawling', 'tuesday'), request)).toBe(true)
  expect(isIndexing(status('done', 'tuesday'), request)).toBe(false)
  expect(isIndexing(status('failed', 'tuesday'), request)).toBe(false)
  expect(isIndexing(status('done', 'monday'), { ...request, wasRunning: true })).toBe(false)
})
