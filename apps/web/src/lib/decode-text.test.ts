import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

test('UTF-8, also when the last character is cut', () => {
  const bytes = utf8('你好')
  expect(decodeText(bytes, false)).toBe('你好')
  expect(decodeText(bytes.subarray(0, 5), true)).toBe('你')
})

test('a byte order mark is obeyed and not shown', () => {
  expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), false)).toBe('a')
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0x61, 0x00]), false)).toBe('a')
})

test('older Chinese files are read as GB 18030', () => {
  expect(decodeText(new Uint8Array([0xc4, 0xe3, 0xba, 0xc3]), false)).toBe('你好')
})
