import type { MarkdownConfig } from '@lezer/markdown'

/** The parser reads a whole paragraph for every key in it. */
const MAX_CHARACTERS = 8000

/**
 * Cuts very long paragraphs, such as logs without blank lines, and does not colour very long lines. Only the
 * highlighting is affected.
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
