// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { openRich } from './testing/open-rich.ts'

afterEach(() => document.body.replaceChildren())

test('a key acts at the current caret, before the browser has reported its move', () => {
  const { rich, editor, press } = openRich('first\n\nlast')
  // In jsdom, an editable element needs a `tabIndex` to be focused.
  editor.tabIndex = 0
  editor.focus()
  document.getSelection()?.collapse(editor.lastElementChild!.firstChild, 'last'.length)
  press('Enter')
  expect(rich.getDoc().children.map((block) => block.textContent)).toEqual(['first', 'last', ''])
  rich.destroy()
})
