import { expect, test } from 'vitest'
import { shownType } from './media-types.ts'

test.each([
  ['a.mp4', 'video/mp4', 'video/mp4'],
  ['a.PNG', 'application/octet-stream', 'image/png'],
  ['a.mp4', '', 'video/mp4'],
  ['a.html', 'text/html', 'application/octet-stream'],
  ['a.png', 'text/html', 'image/png'],
  ['a', 'image/svg+xml', 'image/svg+xml'],
  ['a.js', 'image/../text/html', 'application/octet-stream'],
  ['a', 'video/mp4; charset=x', 'application/octet-stream'],
])('%s of type %j is shown as %s', (path, type, shown) => {
  expect(shownType({ path, type })).toBe(shown)
})
