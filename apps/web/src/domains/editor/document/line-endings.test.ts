import { expect, test } from 'vitest'
import { keepLineEndings } from './line-endings.ts'
import { createTextDocument } from './text-document.ts'

test('unchanged lines keep their line endings, and new ones get those of their neighbours', () => {
  expect(keepLineEndings('a\r\nb\r\nc\r\n', 'a\nB\nc\nd\n')).toBe('a\r\nB\r\nc\r\nd\r\n')
  expect(keepLineEndings('a\rb\r', 'a\nx\nb\n')).toBe('a\rx\rb\r')
  expect(keepLineEndings('a\r\nb\nc\r\nd\n', 'a\nb\nnew\nc\nd\n')).toBe('a\r\nb\nnew\nc\r\nd\n')
  expect(keepLineEndings('1\r\n2\n3\r\n4\n5\r\n', '0\n2\n3\n5\n')).toBe('0\r\n2\n3\r\n5\r\n')
  expect(keepLineEndings('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc')
  expect(keepLineEndings('a\r\nb', '')).toBe('')
  expect(keepLineEndings('a\nb', 'a\nb\n')).toBe('a\nb\n')
  for (const text of ['', '\r\n', 'a\r\n\n\rb\r\n', '\r\r\n\n'])
    expect(keepLineEndings(text, text.replaceAll(/\r\n?/g, '\n'))).toBe(text)
})

test('a document keeps the line endings of its text after any edits', () => {
  const document = createTextDocument('a\r\nb\r\n', { keepForm: keepLineEndings, text: 'a\r\nb\r\n' })
  expect(document.read()).toBe('a\r\nb\r\n')
  // The source editor uses only LF line ends; the rich editor keeps all kinds.
  document.publish(() => 'a\nb\nc\n')
  expect(document.read()).toBe('a\r\nb\r\nc\r\n')
  document.publish(() => 'a\r\nb\r\n')
  expect(document.read()).toBe('a\r\nb\r\n')
  document.replace('x\ny\n')
  document.publish(() => 'x\nz\n')
  expect(document.read()).toBe('x\nz\n')
})
