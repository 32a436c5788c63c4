// @vitest-environment jsdom
import { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { lineDirections } from './line-directions.ts'

test('lines with words of a right-to-left script are right-to-left', () => {
  const view = new EditorView({ doc: 'plain\nשלום עולם\nמילה and more', extensions: lineDirections })
  const directions = () =>
    [...view.contentDOM.querySelectorAll('.cm-line')].map((line) => line.getAttribute('dir'))
  expect(directions()).toEqual([null, 'auto', 'auto'])
  view.dispatch({ changes: { from: 0, to: 5, insert: 'مرحبا' } })
  expect(directions()).toEqual(['auto', 'auto', 'auto'])
  view.destroy()
})
