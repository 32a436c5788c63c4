import { expect, test } from 'vitest'
import { splitMatches } from './highlight.ts'

const marked = (name: string, query: string) =>
  splitMatches(name, query)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

test.each([
  ['Report report.PDF', 'report', '[Report] [report].PDF'],
  ['夏天的照片.jpg', '照片', '夏天的[照片].jpg'],
  ['ＡＢＣ.txt', 'abc', '[ＡＢＣ].txt'],
  ['İstanbul ﬁle.txt', 'file', 'İstanbul ﬁle.txt'],
  ['aaaa', 'aa', '[aa][aa]'],
  ['<b>bold</b>', '<b>', '[<b>]bold</b>'],
  ['plain', '', 'plain'],
  ['a🌿b🌿', '🌿', 'a[🌿]b[🌿]'],
])('%j with %j is %j', (name, query, expected) => {
  expect(marked(name, query)).toBe(expected)
  expect(
    splitMatches(name, query)
      .map(({ text }) => text)
      .join(''),
  ).toBe(name)
})
