import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { hasRightToLeft } from '../../../lib/text/right-to-left.ts'

const byItsWords = Decoration.line({ attributes: { dir: 'auto' } })

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at)
      if (hasRightToLeft(line.text)) lines.add(line.from, line.from, byItsWords)
      at = line.to + 1
    }
  }
  return lines.finish()
}

const plugin = ViewPlugin.define(
  (view) => ({
    lines: decorate(view),
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.lines = decorate(update.view)
    },
  }),
  { decorations: ({ lines }) => lines },
)

/** Lets each line determine its own text direction. */
export const lineDirections = [EditorView.perLineTextDirection.of(true), plugin]
