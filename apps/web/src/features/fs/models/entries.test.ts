import { describe, expect, test } from 'vitest'
import type { Entry } from './entries.ts'
import { filterEntries, sortEntries, toEntry } from './entries.ts'

const file = (name: string, sizeBytes: number, modifiedAtMs = 0): Entry => ({
  path: `/m/${name}`,
  name,
  isFolder: false,
  isVirtual: false,
  sizeBytes,
  modifiedAtMs,
  etag: name,
})
const folder = (name: string, sizeBytes: number): Entry => ({
  ...file(name, sizeBytes),
  path: `/m/${name}/`,
  isFolder: true,
})

const entries = [
  folder('a', 5),
  folder('b', 1),
  file('1.txt', 9, 3),
  file('2.png', 4, 1),
  file('10.txt', 9, 2),
]
const names = (list: readonly Entry[]) => list.map(({ name }) => name)

describe('sorting', () => {
  test('by name uses the order of the server, or its reverse', () => {
    expect(sortEntries(entries, { sort: 'name', order: 'asc' })).toBe(entries)
    expect(names(sortEntries(entries, { sort: 'name', order: 'desc' }))).toEqual([
      'b',
      'a',
      '10.txt',
      '2.png',
      '1.txt',
    ])
  })
  test('keeps folders first, and sorts equal entries by name', () => {
    expect(names(sortEntries(entries, { sort: 'size', order: 'asc' }))).toEqual([
      'b',
      'a',
      '2.png',
      '1.txt',
      '10.txt',
    ])
    expect(names(sortEntries(entries, { sort: 'size', order: 'desc' }))).toEqual([
      'a',
      'b',
      '1.txt',
      '10.txt',
      '2.png',
    ])
    expect(names(sortEntries(entries, { sort: 'modified', order: 'desc' })).slice(2)).toEqual([
      '1.txt',
      '10.txt',
      '2.png',
    ])
    expect(names(sortEntries(entries, { sort: 'type', order: 'asc' })).slice(2)).toEqual([
      '2.png',
      '1.txt',
      '10.txt',
    ])
  })
})

test('a filter requires every word, ignoring case', () => {
  expect(names(filterEntries(entries, 'TXT 1'))).toEqual(['1.txt', '10.txt'])
  expect(filterEntries(entries, '  ')).toBe(entries)
})

test('folders of every kind end in a slash; folders above mounts have no size', () => {
  const item = { name: 'm', path: '/m', isDirectory: true, isVirtual: true } as const
  expect(toEntry(item)).toMatchObject({ path: '/m/', isVirtual: true, sizeBytes: null })
})
