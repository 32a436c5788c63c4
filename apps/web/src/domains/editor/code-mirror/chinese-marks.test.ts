import { GFM, parser } from '@lezer/markdown'
import { expect, test } from 'vitest'
import { chineseSource } from './chinese-marks.ts'

const markdown = parser.configure([GFM, chineseSource])

function marked(text: string): string[] {
  const found: string[] = []
  markdown.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (/^(?:Emphasis|StrongEmphasis|Strikethrough)$/.test(name))
        found.push(`${name} ${text.slice(from, to)}`)
    },
  })
  return found
}

test('the source has Chinese words bold and italic beside punctuation', () => {
  expect(marked('**注意：**正文 他说**“你好”**就走了 *强调。*后文 ~~旧。~~新')).toEqual([
    'StrongEmphasis **注意：**',
    'StrongEmphasis **“你好”**',
    'Emphasis *强调。*',
    'Strikethrough ~~旧。~~',
  ])
})

test('other texts are as CommonMark has them', () => {
  expect(marked('a**(b)**c **d** *e*f ~~g~~ ~ ~~ h~~ **中 文 **')).toEqual([
    'StrongEmphasis **d**',
    'Emphasis *e*',
    'Strikethrough ~~g~~',
  ])
})
