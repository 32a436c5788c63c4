import createMarkdownIt, { type MarkdownIt } from 'markdown-it'
import { chineseLines, chineseMarks } from './chinese.ts'
import { contents } from './contents.ts'
import { directions } from './directions.ts'
import { footnotes } from './footnotes.ts'
import { knownHtml } from './known-html.ts'
import { marks } from './marks.ts'
import { formulas } from './math.ts'
import { media } from './media.ts'
import { holdStrictly } from './strict.ts'
import { taskLists } from './task-lists.ts'

/**
 * Turns empty head cells into data cells. Otherwise a screen reader would announce an empty column name with each
 * cell below.
 */
function headWithWords(markdown: MarkdownIt) {
  markdown.core.ruler.push('head_with_words', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const isEmpty = token.type === 'th_open' && tokens[index + 1]?.content.trim() === ''
      if (isEmpty) for (const part of [token, tokens[index + 2]]) if (part) part.tag = 'td'
    }
  })
}

/** Replaces the `style` of aligned table cells, because the sanitiser would remove it. */
function alignWithoutStyle(markdown: MarkdownIt) {
  markdown.core.ruler.push('align_without_style', (state) => {
    for (const token of state.tokens) {
      const style = token.type === 'th_open' || token.type === 'td_open' ? token.attrGet('style') : null
      if (style) token.attrs = [['align', String(style).replace('text-align:', '')]]
    }
  })
}

/**
 * Parser for CommonMark with tables, strikethrough, bare links, task lists, footnotes, highlights, formulas and
 * recordings. Shows HTML as source, except for the tags of `known-html.ts`. `pieces.ts` runs the parser in two steps.
 * The first step parses the blocks of the whole text; the second step parses the inline content piece by piece.
 */
export const parser = new createMarkdownIt({ html: false, linkify: true, breaks: false })
  .use(alignWithoutStyle)
  .use(headWithWords)
  .use(contents)
  .use(taskLists)
  .use(footnotes)
  .use(chineseMarks)
  .use(marks)
  .use(formulas)
  .use(media)
  .use(knownHtml)
  .use(chineseLines)
  .use(directions)
  .use(holdStrictly)
parser.core.ruler.disable(['normalize', 'block'])
// Does not turn bare names into links, because `readme.md` and `setup.sh` are usually file names and not web
// addresses.
parser.linkify.set({ fuzzyLink: false })
// Turns names that start with `www.` into links. Source: GFM 0.29, section 6.9, read 2026-11-22.
parser.linkify.add('www.', {
  validate: (text, pos, { re }) => {
    const host = re.get_relative_proto_validator()
    host.lastIndex = pos
    return host.exec(text)?.[0].length ?? 0
  },
  normalize: (match) => {
    match.url = `http://${match.url}`
  },
})
