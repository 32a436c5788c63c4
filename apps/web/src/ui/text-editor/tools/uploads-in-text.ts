import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'

/** A file on its way into the text: a sign at its place, which the text itself does not have. */
interface PendingFile {
  readonly id: number
  readonly name: string
  readonly cancelLabel: string
  readonly onCancel: () => void
}

class PendingWidget extends WidgetType {
  readonly file: PendingFile
  constructor(file: PendingFile) {
    super()
    this.file = file
  }
  override eq(other: PendingWidget): boolean {
    return other.file.id === this.file.id
  }
  override toDOM(): HTMLElement {
    const { id, name, cancelLabel, onCancel } = this.file
    const sign = document.createElement('span')
    sign.className = 'cm-upload'
    sign.dataset['upload'] = String(id)
    const label = document.createElement('span')
    label.textContent = name
    const bar = document.createElement('progress')
    bar.max = 1
    bar.setAttribute('aria-label', name)
    const cancel = document.createElement('button')
    cancel.type = 'button'
    cancel.textContent = '×'
    cancel.setAttribute('aria-label', cancelLabel)
    cancel.addEventListener('click', onCancel)
    sign.append(label, bar, cancel)
    return sign
  }
  override ignoreEvent(): boolean {
    return true
  }
}

const begin = StateEffect.define<{ file: PendingFile; at: number }>({
  map: ({ file, at }, changes) => ({ file, at: changes.mapPos(at) }),
})
const end = StateEffect.define<number>()

const idOf = (decoration: Decoration) => (decoration.spec['widget'] as PendingWidget).file.id

export const uploadsField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(signs, transaction) {
    let next = signs.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(begin)) {
        const { file, at } = effect.value
        const sign = Decoration.widget({ widget: new PendingWidget(file), side: 1 }).range(at)
        next = next.update({ add: [sign] })
      }
      if (effect.is(end)) next = next.update({ filter: (_from, _to, sign) => idOf(sign) !== effect.value })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

function placeOf(view: EditorView, id: number): number | null {
  let place: number | null = null
  view.state.field(uploadsField, false)?.between(0, view.state.doc.length, (from, _to, sign) => {
    if (idOf(sign) === id) place = from
  })
  return place
}

let lastId = 0

/** Puts a sign at `at`; what it answers moves its bar, and takes it away for what it became. */
export function showPending(view: EditorView, at: number, file: Omit<PendingFile, 'id'>) {
  lastId += 1
  const id = lastId
  view.dispatch({ effects: begin.of({ file: { ...file, id }, at }) })
  return {
    progress: (share: number) => {
      const bar = view.dom.querySelector<HTMLProgressElement>(`[data-upload="${id}"] progress`)
      if (bar) bar.value = share
    },
    /** `null`: it became nothing. */
    settle: (text: string | null) => {
      const place = placeOf(view, id)
      if (place === null) return
      view.dispatch({
        effects: end.of(id),
        ...(text !== null && { changes: { from: place, insert: text }, userEvent: 'input.paste' }),
      })
    },
  }
}
