import { expect, test } from 'vitest'
import { folderRows, wayTo } from './folder-rows.ts'

const inside: Readonly<Record<string, readonly string[]>> = {
  '/': ['/a/', '/b/'],
  '/a/': ['/a/x/'],
  '/b/': [],
}

test('the rows of a tree are those below open folders', () => {
  const rows = folderRows({
    root: { path: '/', name: 'All' },
    opened: new Set(['/', '/a/', '/a/x/', '/b/']),
    childrenOf: (path) => inside[path]?.map((child) => ({ path: child, name: child })),
    isBusy: (path) => path === '/a/x/',
  })
  expect(rows.map(({ id, level, position, siblingCount }) => [id, level, position, siblingCount])).toEqual([
    ['/', 1, 1, 1],
    ['/a/', 2, 1, 2],
    ['/a/x/', 3, 1, 1],
    ['/b/', 2, 2, 2],
  ])
  expect(rows.map(({ isLeaf }) => isLeaf)).toEqual([false, false, false, true])
  expect(rows.filter(({ isBusy }) => isBusy).map(({ id }) => id)).toEqual(['/a/x/'])
})

test('a collapsed folder hides its expanded subfolders', () => {
  const rows = folderRows({
    root: { path: '/', name: 'All' },
    opened: new Set(['/a/']),
    childrenOf: (path) => inside[path]?.map((child) => ({ path: child, name: child })),
    isBusy: () => true,
  })
  expect(rows).toMatchObject([{ id: '/', isOpen: false, isBusy: false }])
})

test('the path to a folder starts at the root of the session', () => {
  expect(wayTo('/m/a/b/', '/m/')).toEqual(['/m/', '/m/a/', '/m/a/b/'])
  expect(wayTo('/', '/')).toEqual(['/'])
})
