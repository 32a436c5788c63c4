import type { ReadManifest } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { findFiles, hasLiveBelow, itemsIn, onlyFileOf, placeOf, totalsOf } from './bundle-tree.ts'

const file = (path: string, size = 1, modified: string | null = null) =>
  ({ kind: 'file', path, size, mimetype: 'text/plain', modified }) as const

const live = (path: string) => ({ kind: 'folder', path }) as const

const manifest = (...items: ReadManifest['items']): ReadManifest => ({ title: null, page: null, items })

const trip = manifest(
  file('notes.txt', 30),
  file('pics/a10.png', 5, '2026-01-02T00:00:00.000Z'),
  file('pics/a9.png', 7, '2026-01-01T00:00:00.000Z'),
  file('pics/more/b.png', 2),
  live('raw/2026'),
)

const names = (items: readonly { name: string }[]) => items.map(({ name }) => name)

test('folders come first, and names are sorted by the numbers in them', () => {
  expect(names(itemsIn(trip, ''))).toEqual(['pics', 'raw', 'notes.txt'])
  expect(names(itemsIn(trip, 'pics'))).toEqual(['more', 'a9.png', 'a10.png'])
})

test('items are sorted by size and time, in both directions', () => {
  expect(names(itemsIn(trip, 'pics', { sort: 'size', order: 'desc' }))).toEqual(['more', 'a9.png', 'a10.png'])
  expect(names(itemsIn(trip, 'pics', { sort: 'modified', order: 'desc' }))).toEqual([
    'more',
    'a10.png',
    'a9.png',
  ])
  expect(names(itemsIn(trip, '', { sort: 'name', order: 'desc' }))).toEqual(['raw', 'pics', 'notes.txt'])
})

test('a folder is as large as its files, and of unknown size if the server lists a part of it', () => {
  expect(itemsIn(trip, '')).toEqual([
    expect.objectContaining({ name: 'pics', path: 'pics', size: 14 }),
    expect.objectContaining({ name: 'raw', path: 'raw', size: null }),
    expect.objectContaining({ name: 'notes.txt', size: 30 }),
  ])
  const mixed = manifest(live('a/b'), file('a/c.txt', 4))
  expect(itemsIn(mixed, '')).toEqual([expect.objectContaining({ name: 'a', size: null })])
})

test('the manifest lists its own folders, the server those in a live folder, and other paths have no list', () => {
  expect(['', 'pics', 'pics/more', 'raw'].map((path) => placeOf(trip, path))).toEqual([
    'tree',
    'tree',
    'tree',
    'tree',
  ])
  expect(['raw/2026', 'raw/2026/deep'].map((path) => placeOf(trip, path))).toEqual(['live', 'live'])
  expect(['pic', 'raw/202', 'notes.txt', 'pics/a9.png'].map((path) => placeOf(trip, path))).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(placeOf(manifest(), '')).toBe('tree')
})

test('a search finds names below a folder in any case and in either Unicode form', () => {
  const texts = manifest(file('Café.txt'), file('a/cafe.txt'), file('a/CAFÉ 2.txt'), file('café/x.txt'))
  expect(names(findFiles(texts, '', { text: ' cafe\u0301 ' }))).toEqual(['CAFÉ 2.txt', 'Café.txt'])
  expect(names(findFiles(texts, 'a', { text: 'cafe' }))).toEqual(['cafe.txt'])
})

test('a search needs the server where a live folder is below', () => {
  expect(['', 'raw', 'pics'].map((path) => hasLiveBelow(trip, path))).toEqual([true, true, false])
})

test('totals count files, and say whether live folders have more', () => {
  expect(totalsOf(trip)).toEqual({ fileCount: 4, sizeBytes: 44, hasMore: true })
  expect(totalsOf(manifest(file('a', 3)))).toEqual({ fileCount: 1, sizeBytes: 3, hasMore: false })
})

test('only a single file without a page is shown as a file', () => {
  expect(onlyFileOf(manifest(file('deep/a.txt')))?.path).toBe('deep/a.txt')
  expect(onlyFileOf(manifest(live('a')))).toBeNull()
  expect(onlyFileOf(manifest(file('a'), file('b')))).toBeNull()
  expect(onlyFileOf({ ...manifest(file('a')), page: { type: 'text/plain', text: 'words' } })).toBeNull()
})
