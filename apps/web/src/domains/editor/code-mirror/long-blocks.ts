import type { MarkdownConfig } from '@lezer/markdown'

/** A paragraph is read as a whole with every key in it. */
const MAX_CHARACTERS = 8000

/**
 * Cuts paragraphs that are longer than anybody writes them, such as logs without a blank line, and gives lines of such a length
 * no colours. Only the colours of the source know of it.
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
