// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { docOf, parseText } from './from-markdown.ts'
import { mountRich } from './rich-view.ts'

afterEach(() => document.body.replaceChildren())

test('a key acts where the caret stands, before the browser has told that it has moved', () => {
  const parent = document.createElement('div')
  document.body.append(parent)
  const rich = mountRich({
    parent,
    doc: docOf(parseText('first\n\nlast')),
    label: 'Text',
    help: '',
    taskLabel: 'Done',
    onChange: () => undefined,
    onSubmit: () => undefined,
    onLink: () => undefined,
  })
  const editor = parent.querySelector<HTMLElement>('.ProseMirror')!
  // jsdom gives an editable element no focus without it.
  editor.tabIndex = 0
  editor.focus()
  document.getSelection()?.collapse(editor.lastElementChild!.firstChild, 'last'.length)
  editor.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  expect(rich.getDoc().children.map((block) => block.textContent)).toEqual(['first', 'last', ''])
  rich.destroy()
})
