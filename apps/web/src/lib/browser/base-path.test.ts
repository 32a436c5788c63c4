import { expect, test } from 'vitest'
import { basePathOf } from './base-path.ts'

test.each([
  ['https://example.org/assets/main-x.js', ''],
  ['https://example.org/drop/assets/main-x.js', '/drop'],
  ['https://example.org/a/assets/b/assets/main-x.js', '/a/assets/b'],
  ['http://localhost:5173/src/lib/browser/base-path.ts', ''],
  ['file:///srv/assets/base-path.ts', ''],
])('a module at %s lies below "%s"', (url, path) => {
  expect(basePathOf(url)).toBe(path)
})
