// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { docOf, parseText } from './from-markdown.ts'
import { mountRich } from './rich-view.ts'
import { writeDoc } from './to-markdown.ts'

afterEach(() => document.body.replaceChildren())

/** Opens a text with the caret at its beginning, and presses keys. */
function press(text: string, keys: string) {
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
  const editor = parent.querySelector('.ProseMirror')!
  for (const key of keys.split(' ')) {
    if (key.length === 1) rich.target.run({ type: 'insert', text: key })
    else editor.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
  const written = writeDoc(rich.getDoc())
  rich.destroy()
  return written.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
}

test('Enter goes to the cell below, also from an empty one', () => {
  expect(press('| a | b |\n|---|---|\n| | |\n| 1 | 2 |', 'Tab Enter Enter x')).toEqual([
    '| a | b |',
    '| --- | --- |',
    '| | |',
    '| 1 | x2 |',
  ])
})

test('Enter in the last row makes another one, and in an empty last one goes on below the table', () => {
  const text = '| a | b |\n|---|---|\n| 1 | 2 |'
  const grown = ['| a | b |', '| --- | --- |', '| 1 | 2 |']
  expect(press(text, 'Enter Enter x')).toEqual([...grown, '| x | |'])
  expect(press(text, 'Enter Enter Enter x')).toEqual([...grown, '', 'x'])
  expect(press(`${text}\n\nafter`, 'Enter Enter Enter x')).toEqual([...grown, '', 'x', '', 'after'])
})
