import { expect, test } from 'vitest'
import { contentRange, headersOf, parseRange } from './virtual-ranges.ts'

test.each([
  [null, null],
  ['bytes=0-', { first: 0, end: 100 }],
  ['bytes=10-19', { first: 10, end: 20 }],
  ['bytes=90-500', { first: 90, end: 100 }],
  ['bytes=-5', { first: 95, end: 100 }],
  ['bytes=-500', { first: 0, end: 100 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=20-10', 'unsatisfiable'],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
])('%j is read', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range)
})

test('the header of a range contains the size of the file', () => {
  expect(contentRange({ first: 10, end: 20 }, 100)).toBe('bytes 10-19/100')
})

test('decrypted bytes cannot run as a page, and a download keeps any name', () => {
  const page = headersOf({ sizeBytes: 1, type: 'video/mp4', name: null })
  expect(page).toMatchObject({ 'Content-Type': 'video/mp4', 'X-Content-Type-Options': 'nosniff' })
  expect(page['Content-Security-Policy']).toContain('sandbox')
  const download = headersOf({ sizeBytes: 1, type: 'text/html', name: "Zoë's (1)\r\n.html" })
  expect(download['Content-Type']).toBe('application/octet-stream')
  expect(download['Content-Disposition']).toBe(
    "attachment; filename*=UTF-8''Zo%C3%AB%27s%20%281%29%0D%0A.html",
  )
})
