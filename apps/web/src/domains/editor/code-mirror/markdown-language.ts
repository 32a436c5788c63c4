import { HighlightStyle, Language, defineLanguageFacet, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'
import { chineseSource } from './chinese-marks.ts'
import { shortBlocks } from './long-blocks.ts'
import { parseViewport } from './viewport-parse.ts'

/** Markdown with GitHub's extensions. Code blocks are not highlighted, because that would load every language. */
const markdown = parser.configure([GFM, chineseSource, shortBlocks, { wrap: parseViewport }])
const language = new Language(defineLanguageFacet(), markdown, [], 'markdown')

const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--dl-accent)' },
  { tag: tags.monospace, backgroundColor: 'var(--dl-sunken)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.quote], color: 'var(--dl-muted)' },
])

export const markdownHighlighting = [language.extension, syntaxHighlighting(style)]
