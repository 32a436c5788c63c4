import type { MarkdownIt } from 'markdown-it'

/** Each block at the top runs the way its first letter does: from the right for Arabic and Hebrew. */
export function directions(markdown: MarkdownIt): void {
  markdown.core.ruler.push('directions', (state) => {
    for (const token of state.tokens) {
      if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto')
    }
  })
}
