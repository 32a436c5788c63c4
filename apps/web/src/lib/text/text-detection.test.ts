import { expect, test } from 'vitest'
import { isTextual } from './text-detection.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

test('binary data is not text', () => {
  expect(isTextual(utf8('APPLE_ID=1\r\n\t# 注释\u001b[0m'), false)).toBe(true)
  expect(isTextual(utf8('你好').subarray(0, 5), true)).toBe(true)
  expect(isTextual(new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]), false)).toBe(true)
  expect(isTextual(new Uint8Array([0xff, 0xfe, 0x61, 0x00]), false)).toBe(true)
  expect(isTextual(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]), false)).toBe(false)
  expect(isTextual(utf8('a\u0000b'), false)).toBe(false)
  expect(isTextual(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), false)).toBe(false)
})
