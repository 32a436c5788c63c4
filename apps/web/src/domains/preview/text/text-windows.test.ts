import { expect, test } from 'vitest'
import {
  addFirst,
  addLast,
  cutBeginning,
  cutEnd,
  MAX_PIECES,
  type TextPiece,
  toLines,
} from './text-windows.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

test('a window ends with its last whole line, and begins with its first', () => {
  expect(text(cutEnd(utf8('one\ntwo\nthr'), 'utf-8', false))).toBe('one\ntwo\n')
  expect(text(cutEnd(utf8('one\ntwo\nthr'), 'utf-8', true))).toBe('one\ntwo\nthr')
  expect(text(cutBeginning(utf8('ne\ntwo\nthree\n'), 'utf-8', false))).toBe('two\nthree\n')
  expect(text(cutBeginning(utf8('one\ntwo'), 'utf-8', true))).toBe('one\ntwo')
})

test('a line that is longer than a window is cut between characters', () => {
  const bytes = utf8('中文字')
  expect(text(cutEnd(bytes.subarray(0, 8), 'utf-8', false))).toBe('中文')
  expect(text(cutEnd(bytes.subarray(0, 7), 'utf-8', false))).toBe('中文')
  expect(text(cutEnd(bytes, 'utf-8', false))).toBe('中文字')
  expect(text(cutBeginning(bytes.subarray(1), 'utf-8', false))).toBe('文字')
  expect(text(cutEnd(utf8('a😀').subarray(0, 4), 'utf-8', false))).toBe('a')
})

test('with two bytes per character a line ends only where both bytes match', () => {
  const wide = Uint8Array.from(Buffer.from('a\nਊb', 'utf16le'))
  expect([...cutEnd(wide, 'utf-16le', false)]).toEqual([97, 0, 10, 0])
  expect([...cutBeginning(wide, 'utf-16le', false)]).toEqual([10, 10, 98, 0])
})

test('every kind of line ending is supported', () => {
  expect(toLines('a\r\nb\rc\n', false)).toEqual(['a', 'b', 'c'])
  expect(toLines('a\n', true)).toEqual(['a', ''])
  expect(toLines('', true)).toEqual([''])
})

test('pieces are added and removed at both ends, and lines are numbered if the start is known', () => {
  const piece = (index: number, firstLine: number | null): TextPiece => ({
    firstByte: index * 10,
    endByte: index * 10 + 10,
    lines: ['x', 'y'],
    firstLine,
  })
  let pieces: readonly TextPiece[] = []
  for (let index = 0; index <= MAX_PIECES; index += 1) pieces = addLast(pieces, piece(index, null))
  expect(pieces.map(({ firstByte }) => firstByte)[0]).toBe(10)
  pieces = addFirst(pieces, piece(0, null))
  expect(pieces).toHaveLength(MAX_PIECES)
  expect(pieces.slice(0, 3).map(({ firstLine }) => firstLine)).toEqual([1, 3, 5])
})
