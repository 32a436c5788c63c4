import { expect, test } from 'vitest'
import { kindOfBytes } from './magic.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

test.each([
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'image'],
  ['\x89PNG\r\n\x1a\n\0\0', 'image'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image'],
  ['RIFF\x10\0\0\0WAVEfmt ', 'audio'],
  ['\0\0\0\x18ftypisom', 'video'],
  ['\0\0\0\x18ftypavif', 'image'],
  ['%PDF-1.7', 'pdf'],
  ['PK\x03\x04', null],
  ['RIFF', null],
  ['', null],
])('%j is of kind %s', (text, kind) => {
  expect(kindOfBytes(bytes(text))).toBe(kind)
})
