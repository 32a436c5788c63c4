import { docOf, parseText } from '../from-markdown.ts'
import { mountRich } from '../rich-view.ts'

/** Opens a text in the rich view, with the caret at the start. The caller must clear the document. */
export function openRich(text: string) {
  const parent = document.createElement('div')
  document.body.append(parent)
  const rich = mountRich({
    parent,
    doc: docOf(parseText(text)),
    label: 'Text',
    help: '',
    taskLabel: 'Done',
    onChange: () => undefined,
    onSubmit: () => undefined,
    onLink: () => undefined,
  })
  const editor = parent.querySelector<HTMLElement>('.ProseMirror')!
  const press = (key: string) =>
    editor.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  return { rich, editor, press }
}
