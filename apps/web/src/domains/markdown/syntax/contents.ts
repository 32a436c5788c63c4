import type { MarkdownIt } from 'markdown-it'
import { ID_PREFIX } from './allowed.ts'
import type { OutlineEntry, TextEnv } from './env.ts'

const MARK = /^(?:\[toc\]|\[\[toc\]\])$/i

/** Renders links to all headings as nested lists. A heading level that the text skips gets no list. */
function draw(outline: readonly OutlineEntry[], escape: (text: string) => string): string {
  const open: number[] = []
  const parts: string[] = []
  for (const { level, id, text } of outline) {
    while (open.length > 0 && (open.at(-1) ?? 0) > level && (open.at(-2) ?? 0) >= level) {
      parts.push('</li></ul>')
      open.pop()
    }
    const isDeeper = open.length === 0 || (open.at(-1) ?? 0) < level
    parts.push(isDeeper ? '<ul><li>' : '</li><li>')
    if (isDeeper) open.push(level)
    else open[open.length - 1] = level
    parts.push(`<a href="#${escape(id.slice(ID_PREFIX.length))}">${escape(text || '#')}</a>`)
  }
  parts.push('</li></ul>'.repeat(open.length))
  return `<nav class="contents" dir="auto">${parts.join('')}</nav>\n`
}

/**
 * Replaces the first top-level paragraph `[TOC]` or `[[toc]]` with the table of contents, provided that the text has
 * headings.
 */
export function contents(markdown: MarkdownIt): void {
  markdown.core.ruler.before('inline', 'contents', (state) => {
    const env = state.env as TextEnv
    const { tokens } = state
    for (let index = 1; index < tokens.length - 1 && !env.hasContents; index += 1) {
      const isMark = tokens[index]?.type === 'inline' && MARK.test(tokens[index]?.content ?? '')
      if (!isMark || tokens[index - 1]?.type !== 'paragraph_open' || env.outline.length === 0) continue
      if (tokens[index - 1]?.level !== 0) continue
      tokens.splice(index - 1, 3, new state.Token('contents', '', 0))
      env.hasContents = true
    }
  })
  markdown.renderer.rules['contents'] = (_tokens, _index, _options, env) =>
    draw((env as TextEnv).outline, markdown.utils.escapeHtml)
}
