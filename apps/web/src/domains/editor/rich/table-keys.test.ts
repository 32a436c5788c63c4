// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { openRich } from './testing/open-rich.ts'
import { writeDoc } from './to-markdown.ts'

afterEach(() => document.body.replaceChildren())

/** Opens a text and presses keys, starting with the caret at the start of the text. */
function typed(text: string, keys: string) {
  const { rich, press } = openRich(text)
  for (const key of keys.split(' ')) {
    if (key.length === 1) rich.target.run({ type: 'insert', text: key })
    else press(key)
  }
  const written = writeDoc(rich.getDoc())
  rich.destroy()
  return written.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
}

test('Enter goes to the cell below, also from an empty one', () => {
  expect(typed('| a | b |\n|---|---|\n| | |\n| 1 | 2 |', 'Tab Enter Enter x')).toEqual([
    '| a | b |',
    '| --- | --- |',
    '| | |',
    '| 1 | x2 |',
  ])
})

test('Enter in the last row adds a row, and in an empty last row continues below the table', () => {
  const text = '| a | b |\n|---|---|\n| 1 | 2 |'
  const grown = ['| a | b |', '| --- | --- |', '| 1 | 2 |']
  expect(typed(text, 'Enter Enter x')).toEqual([...grown, '| x | |'])
  expect(typed(text, 'Enter Enter Enter x')).toEqual([...grown, '', 'x'])
  expect(typed(`${text}\n\nafter`, 'Enter Enter Enter x')).toEqual([...grown, '', 'x', '', 'after'])
})
