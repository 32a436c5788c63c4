import { expect, test } from 'vitest'
import { findEmoji } from '../dialogs/emoji.ts'
import { headingsOf } from './headings.ts'
import { mapPlace } from '../code-mirror/scroll-sync.ts'
import { countText, type TextCounts } from './text-counts.ts'

function count(text: string): TextCounts {
  const counting = countText(text)
  let step = counting.next()
  while (!step.done) step = counting.next()
  return step.value
}

test('words are counted by the rules of each script, and characters as graphemes', () => {
  expect(count('Hello, world! It’s 3.14.')).toEqual({ words: 4, characters: 24 })
  expect(count('你好，world 世界')).toEqual({ words: 5, characters: 11 })
  expect(count('👨‍👩‍👧\ne\u0301')).toEqual({ words: 1, characters: 2 })
  expect(count('')).toEqual({ words: 0, characters: 0 })
})

test('a long text is counted in pieces without counting anything twice', () => {
  expect(count('one two 三\n'.repeat(5000))).toEqual({ words: 15_000, characters: 45_000 })
})

test('headings are those outside of code and front matter', () => {
  const text = [
    '---',
    '# no',
    '---',
    '# One *two* [three](x) #',
    '```',
    '# code',
    '```',
    'Set',
    '===',
    '- item',
    '---',
    '    # code',
    '###### ',
    'a_b_c `d`',
    '---',
  ].join('\n')
  expect(headingsOf(text)).toEqual([
    { level: 1, text: 'One two three', line: 4 },
    { level: 1, text: 'Set', line: 8 },
    { level: 6, text: '', line: 13 },
    { level: 2, text: 'a_b_c d', line: 14 },
  ])
})

test('emoji are found by their names in both languages', () => {
  expect(findEmoji('rocket', 5)[0]?.character).toBe('🚀')
  expect(findEmoji('火箭', 5)[0]?.character).toBe('🚀')
  expect(findEmoji(':tada:', 5)[0]?.character).toBe('🎉')
  expect(findEmoji('  ', 5)).toEqual([])
})

test('a position between two anchors is mapped proportionally to the other side', () => {
  const anchors = [
    { sourcePx: 0, previewPx: 0 },
    { sourcePx: 100, previewPx: 300 },
    { sourcePx: 200, previewPx: 320 },
  ]
  const there = { from: 'sourcePx', to: 'previewPx' } as const
  expect([0, 50, 100, 150, 200].map((at) => mapPlace(anchors, at, there))).toEqual([0, 150, 300, 310, 320])
  expect(mapPlace(anchors, 310, { from: 'previewPx', to: 'sourcePx' })).toBe(150)
})
