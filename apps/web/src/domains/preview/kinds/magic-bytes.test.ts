import { expect, test } from 'vitest'
import { formOfBytes, kindOfBytes } from './magic-bytes.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)

test.each([
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'image'],
  ['\x89PNG\r\n\x1a\n\0\0', 'image'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image'],
  ['RIFF\x10\0\0\0WAVEfmt ', 'audio'],
  ['\0\0\0\x18ftypisom', 'video'],
  ['\0\0\0\x18ftypavif', 'image'],
  ['%PDF-1.7', 'pdf'],
  ['\0\0\0\x18ftypheic', 'image'],
  ['PK\x03\x04', 'archive'],
  ['\x7fELF\x02', 'program'],
  ['RIFF', null],
  ['', null],
])('%j is of kind %s', (text, kind) => {
  expect(kindOfBytes(bytes(text))).toBe(kind)
})

test('a document in a zip container is recognized by its entries', () => {
  const zip = (...names: readonly string[]) => bytes(['PK\x03\x04', ...names].join('\0\0PK\x03\x04\0\0'))
  expect(formOfBytes(zip('[Content_Types].xml', 'word/document.xml'))?.extension).toBe('docx')
  expect(formOfBytes(zip('xl/workbook.xml', '[Content_Types].xml'))?.extension).toBe('xlsx')
  expect(formOfBytes(zip('word/notes.txt'))?.extension).toBe('zip')
  const book = `PK\x03\x04${'\0'.repeat(26)}mimetypeapplication/epub+zip`
  expect(formOfBytes(bytes(book))).toEqual({ kind: 'ebook', extension: 'epub' })
})
