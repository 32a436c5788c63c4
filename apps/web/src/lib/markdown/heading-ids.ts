import type { MarkdownIt, Token } from 'markdown-it'

/** Anchor of a heading: its words in lower case, joined by hyphens. Any script is kept. */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s+/g, '-')

/** What a heading says, without its marks. */
export const headingText = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content))
    .join('')
    .trim()

/** A name that nothing else in the text has yet: `a`, `a-1`, `a-2`… */
function takeName(anchor: string, taken: Map<string, number>): string {
  let count = taken.get(anchor) ?? 0
  let name = anchor
  while (taken.has(name)) {
    count += 1
    name = `${anchor}-${count}`
  }
  taken.set(anchor, count)
  taken.set(name, taken.get(name) ?? 0)
  return name
}

/** Gives every heading an id, numbered when it repeats. The sanitiser puts `user-content-` before each. */
export function headingIds(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading_ids', (state) => {
    const taken = new Map<string, number>()
    state.tokens.forEach((token, index) => {
      if (token.type !== 'heading_open') return
      const anchor = anchorOf(state.tokens[index + 1]?.content ?? '') || 'section'
      token.attrSet('id', takeName(anchor, taken))
    })
  })
}
