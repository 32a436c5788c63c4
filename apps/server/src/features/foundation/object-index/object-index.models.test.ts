import { compareKeys } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import {
  endOfFolder,
  folderOf,
  foldersAround,
  foldName,
  gramsOf,
  nameOf,
  queryGramsOf,
  sortKeyOf,
} from './object-index.models.ts'

test('names sort by number and letter, not by code point, and no two sort equally', () => {
  const names = [
    'img10',
    'img2',
    'IMG2',
    'img02',
    'img1',
    'b',
    'a 1',
    'A',
    'a',
    'é',
    '海10',
    '海9',
    'img2b',
    '1',
    '01',
    '10',
    '9',
  ]
  const sorted = names.toSorted((a, b) => compareKeys(sortKeyOf(a), sortKeyOf(b)))
  expect(sorted).toEqual(
    ['01', '1', '9', '10', 'a', 'A', 'a 1', 'b', 'img1', 'img02', 'IMG2', 'img2'].concat([
      'img2b',
      'img10',
      'é',
      '海9',
      '海10',
    ]),
  )
  expect(new Set(names.map(sortKeyOf)).size).toBe(names.length)
})

test('names that become longer in lower case still fit an index', () => {
  const name = '\ufdfa'.repeat(85)
  expect(Buffer.byteLength(sortKeyOf(name))).toBeLessThan(2600)
  expect(Buffer.byteLength(foldName(name))).toBeLessThan(2600)
  expect(foldName('😀'.repeat(63)).isWellFormed()).toBe(true)
})

test.each([
  ['a/b/c.txt', 'a/b/', 'c.txt', ['', 'a/', 'a/b/']],
  ['a/b/', 'a/', 'b', ['', 'a/']],
  ['c.txt', '', 'c.txt', ['']],
  ['a/', '', 'a', ['']],
])('%s lies in %s as %s', (key, folder, name, around) => {
  expect([folderOf(key), nameOf(key), foldersAround(key)]).toEqual([folder, name, around])
})

test('the key range of a folder contains everything below it, and nothing else', () => {
  const end = endOfFolder('a/') ?? ''
  expect(compareKeys('a/\u{10ffff}', end)).toBeLessThan(0)
  expect(compareKeys('a0', end)).toBeGreaterThanOrEqual(0)
  expect(endOfFolder('')).toBeNull()
})

test('every name that contains a query has all grams of the query', () => {
  const grams = new Set(gramsOf(foldName('Ｒeport 会议纪要😀.PDF')))
  for (const query of ['rep', 'po', '会议', '要😀', '😀', '.pdf', 'rt 会'])
    expect([query, queryGramsOf(foldName(query)).every((gram) => grams.has(gram))]).toEqual([query, true])
  expect(queryGramsOf('x')).toEqual([])
})
