import { expect, test } from 'vitest'
import { acceptedEncoding } from './compression.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['*', 'zstd'],
  // Named codings take precedence over `*`: RFC 9110, section 12.5.3.
  ['*, zstd;q=0', 'br'],
  ['zstd;q=0, *;q=1', 'br'],
  ['*;q=0.5, zstd;q=0, gzip;q=0.4', 'br'],
  ['*;q=0', 'identity'],
  ['compress, x-unknown', 'identity'],
])('of %j the answer is in %s', (header, expected) => {
  expect(acceptedEncoding(header)).toBe(expected)
})
