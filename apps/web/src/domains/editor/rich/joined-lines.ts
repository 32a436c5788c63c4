import type { Node } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { firstCharacter, isJoined, lastCharacter } from '../../markdown/syntax/chinese.ts'
import { schema } from './schema.ts'

/** Cache: for each paragraph, the offsets of the line ends that are shown without a space. */
const known = new WeakMap<Node, readonly number[]>()

function joinsOf(block: Node): readonly number[] {
  const before = known.get(block)
  if (before) return before
  const joins: number[] = []
  block.forEach((leaf, offset, index) => {
    if (leaf.type !== schema.nodes.soft_break) return
    const [left, right] = [block.maybeChild(index - 1)?.text ?? ' ', block.maybeChild(index + 1)?.text ?? ' ']
    if (isJoined(lastCharacter(left), firstCharacter(right))) joins.push(offset)
  })
  known.set(block, joins)
  return joins
}

function decorate(doc: Node): DecorationSet {
  const found: Decoration[] = []
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    for (const offset of joinsOf(node)) {
      const from = position + 1 + offset
      found.push(Decoration.inline(from, from + 1, { class: 'dl-joined' }))
    }
    return false
  })
  return DecorationSet.create(doc, found)
}

/** Shows a line end between Chinese characters without a space, as the renderer does. */
export const joinedLines = () =>
  new Plugin<DecorationSet>({
    state: {
      init: (_config, { doc }) => decorate(doc),
      apply: (transaction, before) => (transaction.docChanged ? decorate(transaction.doc) : before),
    },
    props: {
      decorations(state) {
        return this.getState(state)
      },
    },
  })
