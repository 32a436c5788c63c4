// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { createTextDocument } from './document/text-document.ts'
import { TextEditor } from './text-editor.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const WORDS = { label: 'Text', help: '', placeholder: '' }

/** Renders a text editor whose library is not loaded yet, so that it shows the plain field. */
function show(text: string) {
  const document = createTextDocument(text)
  const host = window.document.createElement('div')
  const root = createRoot(host)
  act(() =>
    root.render(<TextEditor document={document} isMarkdown words={WORDS} onSubmit={() => undefined} />),
  )
  const field = host.querySelector('textarea')
  if (!field) throw new Error('There is no field.')
  return { document, field, leave: () => act(() => root.unmount()) }
}

test('until the editor has loaded the start of a long text is shown, and the text cannot be truncated to it', () => {
  const long = 'x'.repeat(1_000_000)
  const { document, field, leave } = show(long)
  expect(field.value.length).toBeLessThan(50_000)
  expect(field.readOnly).toBe(true)
  expect(document.read()).toBe(long)
  act(() => document.replace('short'))
  expect([field.value, field.readOnly]).toEqual(['short', false])
  act(() => document.replace(long))
  expect(field.readOnly).toBe(true)
  leave()
})

test('a short text can be edited immediately', () => {
  const { field, leave } = show('short')
  expect([field.value, field.readOnly]).toEqual(['short', false])
  leave()
})
