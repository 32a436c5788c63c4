import { type EditorState, Prec, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { keymap, type KeyBinding } from '@codemirror/view'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import type { EditorAction, EditorTarget } from '../editor-target.ts'
import { SHORTCUTS } from '../tools/shortcuts.ts'
import { continueLine, indentLines, isListLine, outdentLines } from './line-marks.ts'
import { isInCode } from './source-target.ts'
import { stepCell } from './table-source.ts'

interface SourceKeys {
  readonly target: EditorTarget
  readonly onLink: () => void
}

/** Creates a command that applies the change returned by `make`, except inside code. */
const change =
  (make: (state: EditorState) => TransactionSpec | null) =>
  (view: EditorView): boolean => {
    const { state } = view
    if (state.readOnly || isInCode(state, state.selection.main.head)) return false
    const spec = make(state)
    if (spec === null) return false
    view.dispatch(spec)
    return true
  }

const tab = (step: 1 | -1) => (state: EditorState) => {
  const { main } = state.selection
  const cell = main.empty ? stepCell(state, step) : null
  if (cell) return cell
  if (!isListLine(state.doc.lineAt(main.head).text)) return null
  return step === 1 ? indentLines(state) : outdentLines(state)
}

/** Key bindings for Markdown: bold and other marks, list continuation, table cells. */
export function sourceKeys({ target, onLink }: SourceKeys) {
  const act = (key: string, action: EditorAction): KeyBinding => ({
    key,
    stopPropagation: true,
    run: () => {
      target.run(action)
      return true
    },
  })
  const bindings: KeyBinding[] = [
    ...SHORTCUTS.map(({ key, action }) => act(key, action)),
    {
      key: keyMap.editor.link[0],
      stopPropagation: true,
      run: () => {
        onLink()
        return true
      },
    },
    { key: 'Enter', run: change(continueLine) },
    { key: 'Tab', run: change(tab(1)), shift: change(tab(-1)) },
  ]
  return Prec.high(keymap.of(bindings))
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i

/** Turns the selected text into a link when a URL is pasted over it. */
export function pasteAddress(view: EditorView, text: string): boolean {
  const { state } = view
  const { main } = state.selection
  const words = state.sliceDoc(main.from, main.to)
  const address = text.trim()
  if (main.empty || words.includes('\n') || !ADDRESS.test(address) || ADDRESS.test(words.trim())) return false
  if (isInCode(state, main.from)) return false
  const link = `[${words}](${address.replaceAll(/[()]/g, encodeURIComponent)})`
  view.dispatch({
    changes: { from: main.from, to: main.to, insert: link },
    selection: { anchor: main.from + link.length },
    userEvent: 'input.paste',
  })
  return true
}
