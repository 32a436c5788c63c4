import type { MarkdownIt } from 'markdown-it'

/**
 * Lets the browser set the direction of each top-level block by its first character that has a direction, for example
 * right to left for Arabic and Hebrew.
 */
export function directions(markdown: MarkdownIt): void {
  markdown.core.ruler.push('directions', (state) => {
    for (const token of state.tokens) {
      if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto')
    }
  })
}
