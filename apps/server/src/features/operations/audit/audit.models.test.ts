import { expect, test } from 'vitest'
import { targetOf } from '../../../http/audit/audit-targets.ts'
import { csvCell } from './audit.models.ts'

test.each([
  ['/photos/a.jpg', '/photos/a.jpg'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['', ''],
])('%j is a cell', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test.each([
  [{ url: '/dav/local/a%20b.txt?x=1' }, '/local/a b.txt'],
  [{ url: '/dav/%zz' }, '/%zz'],
  [{ url: '/dav' }, '/'],
  [{ url: '/api/x', params: { id: '7' }, body: { name: 'n' } }, '7'],
  [{ url: '/api/x', body: { name: 'Camera', key: 'SECRET', password: 'SECRET' } }, 'Camera'],
  [{ url: '/api/x', body: { oldPath: '/a', newPath: '/b' } }, '/a → /b'],
  [{ url: '/api/x', body: { paths: ['/a', '/b', '/c', '/d', '/e'] } }, '/a, /b, /c, +2'],
  [{ url: '/api/x', body: { items: [{ sourcePath: '/a', targetPath: '/b' }] } }, '/a → /b'],
  [{ url: '/api/x', query: { path: '/q', password: 'SECRET' } }, '/q'],
  [{ url: '/api/x', body: ['1', '2'] }, '1, 2'],
  [{ url: '/api/x', body: { password: 'SECRET' } }, null],
  [{ url: '/api/x' }, null],
])('%j is about %j', (asked, target) => {
  const request = { params: {}, query: {}, body: undefined, headers: {}, ...asked }
  expect(targetOf(request, { action: 'file.change', basePath: '' })).toBe(target)
})

test.each([
  ['/dav/local/b%20c', '/local/b c'],
  ['http://name:SECRET@host.test:80/dav/b?x=SECRET#SECRET', '/b'],
  ['https://host.test/elsewhere', '/elsewhere'],
  ['/davx', '/davx'],
])('a move to %j names it', (destination, shown) => {
  const request = { url: '/dav/a', params: {}, query: {}, body: undefined, headers: { destination } }
  expect(targetOf(request, { action: 'drive.move', basePath: '' })).toBe(`/a → ${shown}`)
  expect(targetOf(request, { action: 'drive.write', basePath: '' })).toBe('/a')
})
