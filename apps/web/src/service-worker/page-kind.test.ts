import { expect, test } from 'vitest'
import { pageKind } from './page-kind.ts'

test.each([
  ['/', 'app'],
  ['/upload', 'app'],
  ['/admin/text-management', 'app'],
  ['/mount-explorer/local/notes.txt', 'app'],
  ['/file/abc', 'app'],
  ['/paste/abc', 'paste'],
  ['/paste/abc/', 'paste'],
  ['/paste', 'app'],
  ['/s/abc', 'bundle'],
  ['/s/abc/', 'bundle'],
  ['/s', 'app'],
  ['/settings/abc', 'app'],
  ['/api/paste/abc', null],
  ['/api', null],
  ['/apiary', 'app'],
  ['/dav/local/', null],
  ['/assets/main-1.js', null],
  ['/manifest.webmanifest', null],
  ['/sw.js', null],
  ['/share-target', null],
  ['/s-media/1a', null],
  ['/s-download/1a', null],
  ['/s-media', 'app'],
])('%s is shown by %s', (path, kind) => {
  expect(pageKind(path)).toBe(kind)
})
