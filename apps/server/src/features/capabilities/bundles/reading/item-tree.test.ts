import { describe, expect, test } from 'vitest'
import type { StoredItem } from '../manifest.models.ts'
import { entriesOf, findItem } from './item-tree.models.ts'

const file = (path: string, size = 1): StoredItem => ({
  path,
  size,
  mimetype: 'text/plain',
  modifiedAtMs: null,
  source: { object: 0 },
})
const live: StoredItem = { path: 'a/live', source: { folder: { path: '/m/photos' } } }
const manifest = {
  title: null,
  page: null,
  items: [file('a/b.txt', 2), file('a/c/d.txt', 3), live, file('z.txt')],
}

describe('the tree of a bundle', () => {
  test('a path leads to a file, to a folder of items, or into a live folder', () => {
    expect(findItem(manifest, 'a/b.txt')).toMatchObject({ kind: 'file' })
    expect(findItem(manifest, 'a')).toMatchObject({ kind: 'folder', path: 'a' })
    expect(findItem(manifest, 'a/c/')).toMatchObject({ kind: 'folder', path: 'a/c' })
    expect(findItem(manifest, '')).toMatchObject({ kind: 'folder', items: manifest.items })
    expect(findItem(manifest, 'a/live')).toMatchObject({ kind: 'live', rest: '' })
    expect(findItem(manifest, 'a/live/x/../y')).toMatchObject({ kind: 'live', rest: 'x/../y' })
  })

  test.each(['b.txt', 'a/b', 'a/b.txt/x', '../a', '/a', 'a//c', 'a/livelihood', 'A/b.txt'])(
    '%j leads to nothing',
    (path) => {
      expect(findItem(manifest, path)).toBeUndefined()
    },
  )

  test('a folder shows what is directly below it; with a live folder inside its size is unknown', () => {
    const root = findItem(manifest, '')
    if (root?.kind !== 'folder') throw new Error('The root is a folder.')
    expect(entriesOf(root).map(({ kind, name }) => [kind, name])).toEqual([
      ['folder', 'a'],
      ['file', 'z.txt'],
    ])
    expect(entriesOf(root)[0]).toMatchObject({ sizeBytes: null })
    const a = findItem(manifest, 'a')
    if (a?.kind !== 'folder') throw new Error('It is a folder.')
    expect(entriesOf(a)).toEqual([
      { kind: 'folder', name: 'c', sizeBytes: 3 },
      { kind: 'folder', name: 'live', sizeBytes: null },
      { kind: 'file', name: 'b.txt', item: manifest.items[0] },
    ])
  })
})
