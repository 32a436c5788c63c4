import { expect, test } from 'vitest'
import { hashOfLines, parseLines, textOfLines } from './line-range.ts'

test.each([
  ['#L1', { first: 1, last: 1 }],
  ['#L10-L20', { first: 10, last: 20 }],
  ['#L10-20', { first: 10, last: 20 }],
  ['#L20-L10', { first: 10, last: 20 }],
  ['#L0', null],
  ['#L', null],
  ['#L1-', null],
  ['#L1x', null],
  ['#user-content-l10', null],
  ['', null],
])('%s names %o', (hash, range) => {
  expect(parseLines(hash)).toEqual(range)
})

test('a formatted range can be parsed', () => {
  for (const range of [
    { first: 7, last: 7 },
    { first: 3, last: 12 },
  ])
    expect(parseLines(hashOfLines(range))).toEqual(range)
})

test('extracts lines from a text, with any line endings', () => {
  const text = 'one\r\ntwo\nthree'
  expect(textOfLines(text, { first: 2, last: 3 })).toBe('two\nthree')
  expect(textOfLines(text, { first: 3, last: 9 })).toBe('three')
  expect(textOfLines(text, { first: 9, last: 9 })).toBe('')
})
