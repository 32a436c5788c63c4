import type { MarkdownConfig } from '@lezer/markdown'

/** Maximum length of a paragraph, because the parser reads the whole paragraph again after each key press. */
const MAX_CHARACTERS = 8000

/**
 * Splits very long paragraphs (such as logs without blank lines) and skips very long lines. Affects only the
 * highlighting.
 */
export const shortBlocks: MarkdownConfig = {
  parseBlock: [
    {
      name: 'LongLine',
      before: 'LinkReference',
      parse: (context, line) => {
        if (line.text.length <= MAX_CHARACTERS) return false
        const from = context.lineStart + line.pos
        const to = context.lineStart + line.text.length
        context.addElement(context.elt('Paragraph', from, to))
        context.nextLine()
        return true
      },
      endLeaf: (_context, line, leaf) => leaf.content.length + line.text.length > MAX_CHARACTERS,
    },
  ],
}
