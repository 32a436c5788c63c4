// @vitest-environment jsdom
import { forceParsing, syntaxTree } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { markdownHighlighting } from './markdown-language.ts'

const doc = 'Some **strong** words.\n\n```\ncode\n```\n\n'.repeat(20_000)

// Stops the clock, so that a parse does not reach its time limit on a slow machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test('a long text is parsed up to the visible part, after any number of changes', () => {
  const view = new EditorView({ doc, extensions: markdownHighlighting })
  expect(forceParsing(view, 20_000, 10_000)).toBe(true)
  for (const insert of ['# ', 'A ', 'heading\n\n']) {
    const at = view.state.selection.main.head
    view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length } })
  }
  const tree = syntaxTree(view.state)
  const names = new Set<string>()
  let lastEnd = 0
  tree.iterate({
    enter: ({ name, to }) => {
      names.add(name)
      if (name !== 'Document') lastEnd = Math.max(lastEnd, to)
    },
  })
  expect([...names]).toEqual(expect.arrayContaining(['ATXHeading1', 'StrongEmphasis', 'FencedCode']))
  expect(lastEnd).toBeLessThan(100_000)
  // The tree spans the whole document, so the editor does not parse further after the next key press.
  expect(tree.length).toBe(view.state.doc.length)
  expect(forceParsing(view, view.state.doc.length, 10_000)).toBe(true)
  expect(syntaxTree(view.state).resolveInner(view.state.doc.length - 4, 1).name).toBe('CodeMark')
  view.destroy()
})

test.each([
  ['no blank line', 'Some **strong** words in a line.\n'.repeat(30_000)],
  ['one line', 'Some **strong** words. '.repeat(45_000)],
  ['one line behind another', `A line\n${'of **strong** words. '.repeat(45_000)}\nand one more\n`],
])('of a long text with %s little is read with a key', (_, text) => {
  const view = new EditorView({ doc: text, extensions: markdownHighlighting })
  expect(forceParsing(view, 20_000, 10_000)).toBe(true)
  view.dispatch({ changes: { from: 0, insert: 'x' } })
  let count = 0
  syntaxTree(view.state).iterate({ enter: () => void (count += 1) })
  expect(count).toBeLessThan(10_000)
  expect(syntaxTree(view.state).length).toBe(view.state.doc.length)
  view.destroy()
})

test('a paragraph of usual length is highlighted, with any text around it', () => {
  const long = 'words '.repeat(5000)
  const view = new EditorView({
    doc: `# Heading\n${long}\n\nSome **strong** words\nand *more*.\n\n> ${long}\n> **quoted**\n`,
    extensions: markdownHighlighting,
  })
  forceParsing(view, view.state.doc.length, 10_000)
  const found: string[] = []
  syntaxTree(view.state).iterate({
    enter: ({ name, from, to }) => {
      if (['StrongEmphasis', 'Emphasis', 'ATXHeading1'].includes(name))
        found.push(view.state.sliceDoc(from, to))
    },
  })
  expect(found).toEqual(['# Heading', '**strong**', '*more*', '**quoted**'])
  view.destroy()
})
