import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import { type PlaceholderFile, PlaceholderModel, type UploadPlaceholder } from './upload-placeholder.ts'

class SignWidget extends WidgetType {
  readonly sign: PlaceholderModel
  constructor(sign: PlaceholderModel) {
    super()
    this.sign = sign
  }
  override eq(other: SignWidget): boolean {
    return other.sign === this.sign
  }
  override toDOM(): HTMLElement {
    return this.sign.toDOM()
  }
  override ignoreEvent(): boolean {
    return true
  }
}

const begin = StateEffect.define<{ sign: PlaceholderModel; at: number }>({
  map: ({ sign, at }, changes) => ({ sign, at: changes.mapPos(at) }),
})
const end = StateEffect.define<PlaceholderModel>()

const signOf = (decoration: Decoration) => (decoration.spec['widget'] as SignWidget).sign

export const uploadsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(signs, transaction) {
    let next = signs.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(begin)) {
        const { sign, at } = effect.value
        next = next.update({ add: [Decoration.widget({ widget: new SignWidget(sign), side: 1 }).range(at)] })
      }
      if (effect.is(end))
        next = next.update({ filter: (_from, _to, shown) => signOf(shown) !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

function placeOf(view: EditorView, sign: PlaceholderModel): number | null {
  let place: number | null = null
  view.state.field(uploadsField, false)?.between(0, view.state.doc.length, (from, _to, shown) => {
    if (signOf(shown) === sign) place = from
  })
  return place
}

interface SourcePlace {
  readonly view: EditorView
  readonly at: number
  /** Writes the link in the format of the text. */
  readonly write: (link: Parameters<UploadPlaceholder['settle']>[0] & object) => string
}

/** Shows an upload placeholder in the source. */
export function showPending({ view, at, write }: SourcePlace, file: PlaceholderFile): UploadPlaceholder {
  const sign = new PlaceholderModel(file)
  view.dispatch({ effects: begin.of({ sign, at: Math.min(at, view.state.doc.length) }) })
  return {
    progress: (share) => sign.progress(share),
    setFailed: (hasFailed) => sign.setFailed(hasFailed),
    settle: (link) => {
      const place = placeOf(view, sign)
      if (place === null) return false
      view.dispatch({
        effects: end.of(sign),
        ...(link && { changes: { from: place, insert: write(link) }, userEvent: 'input.paste' }),
      })
      return true
    },
  }
}
