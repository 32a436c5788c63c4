import { expect, test } from 'vitest'
import { findLineEnd, withLineEnd } from './text-form.ts'

test('lines end as most of them did', () => {
  expect(findLineEnd('a\r\nb\r\nc\n')).toBe('\r\n')
  expect(findLineEnd('a\nb')).toBe('\n')
  expect(findLineEnd('a\rb\rc')).toBe('\r')
  expect(findLineEnd('')).toBe('\n')
  expect(withLineEnd('a\r\nb\n', '\n')).toBe('a\nb\n')
  expect(withLineEnd('a\rb\n', '\r')).toBe('a\rb\r')
  expect(withLineEnd('a\nb\r\n', '\r\n')).toBe('a\r\nb\r\n')
})
