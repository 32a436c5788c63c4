import { describe, expect, test } from 'vitest'
import {
  type EditedItem,
  freeNumbers,
  inputsOf,
  itemsOf,
  moved,
  newPaths,
  pathProblem,
  withFiles,
  withMode,
  without,
  withPath,
  withReplacement,
} from './edited-items.ts'

const items: EditedItem[] = itemsOf({
  title: null,
  page: null,
  items: [
    { path: 'a.txt', size: 1, mimetype: 'text/plain', modified: null, source: { object: 0 } },
    {
      path: 'pics/b.png',
      size: 2,
      mimetype: 'image/png',
      modified: null,
      source: { ref: { path: '/m/b.png', mode: 'follow' } },
    },
    { path: 'live', source: { folder: { path: '/m/live' } } },
  ],
})
const [a, b, live] = items.map(({ key }) => key) as [string, string, string]
const pathsOf = (list: readonly EditedItem[]) => list.map(({ path }) => path)

test('an unchanged list is published as it was', () => {
  expect(inputsOf(items)).toEqual([
    { path: 'a.txt', source: { object: 0 } },
    { path: 'pics/b.png', source: { ref: { path: '/m/b.png', mode: 'follow' } } },
    { path: 'live', source: { folder: { path: '/m/live' } } },
  ])
})

test('items are renamed, removed, replaced and pinned', () => {
  expect(pathsOf(withPath(items, a, 'c.txt'))).toEqual(['c.txt', 'pics/b.png', 'live'])
  expect(pathsOf(without(items, b))).toEqual(['a.txt', 'live'])
  const replaced = withReplacement(items, b, { number: 7, sizeBytes: 9, upload: 'u' })
  expect(replaced[1]).toMatchObject({ key: b, path: 'pics/b.png', source: { object: 7 }, sizeBytes: 9 })
  expect(withMode(items, b, 'pin')[1]?.source).toEqual({ ref: { path: '/m/b.png', mode: 'pin' } })
  expect(withMode(items, a, 'pin')).toEqual(items)
})

test('items move by places, at most to the ends', () => {
  expect(pathsOf(moved(items, b, -1))).toEqual(['pics/b.png', 'a.txt', 'live'])
  expect(pathsOf(moved(items, a, 1))).toEqual(['pics/b.png', 'a.txt', 'live'])
  expect(pathsOf(moved(items, a, 99))).toEqual(['pics/b.png', 'live', 'a.txt'])
  expect(pathsOf(moved(items, live, -99))).toEqual(['live', 'a.txt', 'pics/b.png'])
  expect(moved(items, 'gone', 1)).toEqual(items)
})

test('new files get free paths at the end', () => {
  const paths = newPaths(items, ['a.txt', 'A.TXT', 'pics/c.png', 'live/x'])
  expect(paths).toEqual(['a (2).txt', 'A (3).TXT', 'pics/c.png', 'live (2)/x'])
  const added = withFiles(items, [{ path: 'n', number: 4, sizeBytes: 3, upload: 'u' }])
  expect(added.at(-1)).toEqual({ key: 'u', path: 'n', source: { object: 4 }, sizeBytes: 3, upload: 'u' })
})

describe('numbers of new objects', () => {
  test('are free, and start at a random place', () => {
    expect(freeNumbers([0, 2], 2, () => 0)).toEqual([1, 3])
    expect(freeNumbers([0], 2, () => 0.5)).toEqual([5000, 5001])
    expect(freeNumbers([], 3, () => 0.99999)).toEqual([9999, 0, 1])
  })
  test('can be used up', () => {
    const all = Array.from({ length: 9999 }, (_, number) => number)
    expect(freeNumbers(all, 1, () => 0.7)).toEqual([9999])
    expect(freeNumbers(all, 2)).toBeNull()
  })
})

test('a new path must be valid, unique, and neither below nor above another item', () => {
  expect(pathProblem(items, a, 'b.txt')).toBeNull()
  expect(pathProblem(items, a, 'a.txt')).toBeNull()
  expect(pathProblem(items, a, 'PICS/B.png')).toBe('duplicate')
  expect(pathProblem(items, a, '../x')).toBe('name')
  expect(pathProblem(items, a, 'live/x')).toBe('below_item')
  expect(pathProblem(items, a, 'pics')).toBe('below_item')
  expect(pathProblem(items, a, 'a\\b')).toBe('characters')
})
