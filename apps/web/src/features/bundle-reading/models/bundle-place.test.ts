import { expect, test } from 'vitest'
import {
  folderOf,
  itemPathOf,
  pagePathOf,
  parseQuery,
  queryOf,
  readBundleSearch,
  searchFor,
} from './bundle-place.ts'

test('a folder in the URL starts and ends with a slash; everything else is the root', () => {
  expect(['/pics/', '/pics', '/a/b//', undefined, 'pics', '/'].map((at) => folderOf({ at }))).toEqual([
    '/pics/',
    '/pics/',
    '/a/b/',
    '/',
    '/',
    '/',
  ])
  expect(searchFor('/')).toEqual({ at: undefined, preview: undefined })
})

test('paths of the page and of the API lead to each other', () => {
  expect(itemPathOf('/pics/2026/')).toBe('pics/2026')
  expect(itemPathOf('/a.png')).toBe('a.png')
  expect(pagePathOf({ path: 'pics/2026', isDirectory: true })).toBe('/pics/2026/')
  expect(pagePathOf({ path: 'a.png', isDirectory: false })).toBe('/a.png')
})

test('names that look like numbers survive the router, which parses them', () => {
  for (const preview of ['2026', '1.0', 'true', '"quoted"', 'a.png', '1st', '{a', '文 & b.png']) {
    const place = { at: '/2026/', preview, find: undefined }
    expect(parseQuery(queryOf(place))).toEqual(place)
  }
  expect(parseQuery('')).toEqual({ at: undefined, preview: undefined, find: undefined })
})

test('invalid parameters are ignored', () => {
  expect(readBundleSearch({ at: ['/a/'], preview: '', find: { a: 1 } })).toEqual({
    at: undefined,
    preview: undefined,
    find: undefined,
  })
})
