import type { MarkdownIt } from 'markdown-it'

/** Anchor of a heading: its words in lower case, joined by hyphens. Any script is kept. */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s+/g, '-')

/** Gives every heading an id, numbered when it repeats. The sanitiser puts `user-content-` before each. */
export function headingIds(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading_ids', (state) => {
    const seen = new Map<string, number>()
    state.tokens.forEach((token, index) => {
      if (token.type !== 'heading_open') return
      const anchor = anchorOf(state.tokens[index + 1]?.content ?? '') || 'section'
      const count = seen.get(anchor) ?? 0
      seen.set(anchor, count + 1)
      token.attrSet('id', count === 0 ? anchor : `${anchor}-${count}`)
    })
  })
}
