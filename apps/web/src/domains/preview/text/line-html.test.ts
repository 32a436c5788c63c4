import { expect, test } from 'vitest'
import { splitHtmlLines } from './line-html.ts'

test('colours continue across lines', () => {
  expect(splitHtmlLines('a <span class="x">b\nc <span class="y">d\n</span></span>e')).toEqual([
    'a <span class="x">b</span>',
    '<span class="x">c <span class="y">d</span></span>',
    '<span class="x"><span class="y"></span></span>e',
  ])
  expect(splitHtmlLines('')).toEqual([''])
  expect(splitHtmlLines('a\n')).toEqual(['a', ''])
})
