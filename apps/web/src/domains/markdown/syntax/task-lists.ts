import type { MarkdownIt } from 'markdown-it'

const MARK = /^\[([ xX])\]\s+/

/** Renders items such as `- [x] done` with a disabled checkbox. */
export function taskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'task_lists', (state) => {
    state.tokens.forEach((token, index) => {
      const isItemText = token.type === 'inline' && state.tokens[index - 2]?.type === 'list_item_open'
      const first = token.children?.[0]
      const match = isItemText && first?.type === 'text' ? MARK.exec(first.content) : null
      if (!first || !match) return
      const box = new state.Token('html_inline', '', 0)
      box.content = `<input type="checkbox" disabled${match[1] === ' ' ? '' : ' checked'}> `
      first.content = first.content.slice(match[0].length)
      token.children?.unshift(box)
    })
  })
}
