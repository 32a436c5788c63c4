import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { type InlineMark, hasInline, toggleInline } from './inline-marks.ts'
import {
  continueLine,
  indentLines,
  type LineMark,
  outdentLines,
  toggleLines,
  toggleQuote,
} from './line-marks.ts'
import { specOf } from './source-target.ts'
import { changeTable, findTable, stepCell, type TableAction } from './table-source.ts'

/** Creates a state from a text in which `‸` marks the caret, or two `‸` mark the ends of the selection. */
function stateOf(marked: string): EditorState {
  const [before = '', middle, after] = marked.split('‸')
  const selection =
    after === undefined
      ? EditorSelection.cursor(before.length)
      : EditorSelection.range(before.length, before.length + (middle ?? '').length)
  return EditorState.create({
    doc: marked.replaceAll('‸', ''),
    selection: { anchor: selection.anchor, head: selection.head },
  })
}

function written(state: EditorState): string {
  const { from, to } = state.selection.main
  const text = state.doc.toString()
  const end = from === to ? '' : `${text.slice(from, to)}‸`
  return `${text.slice(0, from)}‸${end}${text.slice(to)}`
}

const after = (marked: string, make: (state: EditorState) => TransactionSpec | null): string | null => {
  const state = stateOf(marked)
  const spec = make(state)
  return spec === null ? null : written(state.update(spec).state)
}

describe('marks in a line', () => {
  test.each<[string, InlineMark, string]>([
    ['‸word‸', '**', '**‸word‸**'],
    ['**‸word‸**', '**', '‸word‸'],
    ['‸**word**‸', '**', '‸word‸'],
    ['a wo‸rd b', '*', 'a *wo‸rd* b'],
    ['**‸word‸**', '*', '***‸word‸***'],
    ['***‸word‸***', '**', '*‸word‸*'],
    ['x ‸', '~~', 'x ~~‸~~'],
    ['x **‸**', '**', 'x ‸'],
    ['‸ spaced ‸', '==', ' ==‸spaced‸== '],
    ['- ‸one\n- two‸', '**', '- **‸one**\n- **two‸**'],
    ['‸中文‸', '`', '`‸中文‸`'],
  ])('%s with %s becomes %s', (before, mark, expected) => {
    expect(after(before, (state) => toggleInline(state, mark))).toBe(expected)
  })
  test('are recognized for the word at the caret', () => {
    expect(hasInline(stateOf('a **wo‸rd** b'), '**')).toBe(true)
    expect(hasInline(stateOf('a **wo‸rd** b'), '*')).toBe(false)
  })
})

describe('marks of lines', () => {
  test.each<[string, LineMark, string]>([
    ['one‸', 'h2', '## one‸'],
    ['## one‸', 'h2', 'one‸'],
    ['## one‸', 'h3', '### one‸'],
    ['‸a\n\nb‸', 'bullets', '- ‸a\n\n- b‸'],
    ['- ‸a\n- b‸', 'numbers', '1. ‸a\n2. b‸'],
    ['1. ‸a\n2. b‸', 'tasks', '- [ ] ‸a\n- [ ] b‸'],
    ['- [x] a‸', 'tasks', 'a‸'],
    ['> a‸', 'bullets', '> - a‸'],
    ['‸', 'bullets', '- ‸'],
  ])('%j as %s becomes %j', (before, kind, expected) => {
    expect(after(before, (state) => toggleLines(state, kind))).toBe(expected)
  })
  test('quote marks are added to each line and removed again', () => {
    expect(after('‸a\n\nb‸', toggleQuote)).toBe('> ‸a\n>\n> b‸')
    expect(after('> ‸a\n>\n> b‸', toggleQuote)).toBe('‸a\n\nb‸')
  })
  test('items are indented below the item above, by the width of its mark, and back', () => {
    expect(after('- a\n- b‸', indentLines)).toBe('- a\n  - b‸')
    expect(after('1. a\n2. b‸', indentLines)).toBe('1. a\n   2. b‸')
    expect(after('- a\n  - b‸', outdentLines)).toBe('- a\n- b‸')
  })
})

describe('Enter', () => {
  test.each([
    ['- a‸', '- a\n- ‸'],
    ['* [x] a‸', '* [x] a\n* [ ] ‸'],
    ['1. a‸\n2. b', '1. a\n2. ‸\n3. b'],
    ['9) a‸', '9) a\n10) ‸'],
    ['  - a‸', '  - a\n  - ‸'],
    ['- a‸ b', '- a\n- ‸b'],
    ['> a‸', '> a\n> ‸'],
    ['- ‸', '‸'],
    ['> ‸', '‸'],
  ])('goes on with the list or quote of %j', (before, expected) => {
    expect(after(before, continueLine)).toBe(expected)
  })
  test.each(['a‸', '# a‸', '‸- a', '**a**‸'])('is nothing special in %j', (text) => {
    expect(after(text, continueLine)).toBeNull()
  })
})

const TABLE = '| a   | b   |\n| --- | --- |\n| 1‸   | 2   |'

describe('tables', () => {
  test('are found at the caret, with escaped bars in cells', () => {
    expect(findTable(stateOf('| a \\| b | c |\n|:-:|--:|\n| 1 | ‸2 |'))).toMatchObject({
      rows: [
        ['a \\| b', 'c'],
        ['1', '2'],
      ],
      delimiters: [':-:', '--:'],
      row: 1,
      column: 1,
    })
    expect(findTable(stateOf('a | b‸'))).toBeNull()
  })
  test.each<[TableAction, string]>([
    ['row-after', '| a   | b   |\n| --- | --- |\n| 1   | 2   |\n| ‸    |     |'],
    ['row-before', '| a   | b   |\n| --- | --- |\n| ‸    |     |\n| 1   | 2   |'],
    ['row-remove', '| ‸a   | b   |\n| --- | --- |'],
    ['column-after', '| a   |     | b   |\n| --- | --- | --- |\n| 1   | ‸    | 2   |'],
    ['column-remove', '| b   |\n| --- |\n| ‸2   |'],
  ])('%s', (action, expected) => {
    expect(after(TABLE, (state) => changeTable(state, action))).toBe(expected)
  })
  test('Tab goes from cell to cell, and past the last one to a new row', () => {
    expect(after(TABLE, (state) => stepCell(state, 1))).toBe('| a   | b   |\n| --- | --- |\n| 1   | ‸2   |')
    const last = TABLE.replace('‸', '').replace('2', '2‸')
    expect(after(last, (state) => stepCell(state, 1))).toBe(
      '| a   | b   |\n| --- | --- |\n| 1   | 2   |\n| ‸    |     |',
    )
  })
  test('columns are aligned, also with wide characters', () => {
    expect(after('|名称|n|\n|--|--|\n|‸x|y|', (state) => changeTable(state, 'row-after'))).toBe(
      '| 名称 | n   |\n| ---- | --- |\n| x    | y   |\n| ‸     |     |',
    )
  })
})

describe('blocks', () => {
  test('are separated from the text around them by blank lines', () => {
    expect(after('text‸', (state) => specOf(state, { type: 'rule' }))).toBe('text\n\n---\n‸\n')
    expect(after('‸a ```` b‸', (state) => specOf(state, { type: 'code-block', language: 'ts' }))).toBe(
      '`````ts\n‸a ```` b\n`````',
    )
  })
  test('a footnote has the next number, and the caret goes to its text', () => {
    expect(after('a[^1] b‸\n\n[^1]: one', (state) => specOf(state, { type: 'footnote' }))).toBe(
      'a[^1] b[^2]\n\n[^1]: one\n[^2]: ‸',
    )
  })
  test.each([
    ['a[^1] b\n\n[^1]: ‸', 'a[^1][^2] b\n\n[^1]: \n[^2]: ‸'],
    ['a[^1][^2] b\n\n[^1]: one‸\n[^2]: two', 'a[^1][^2][^3] b\n\n[^1]: one\n[^2]: two\n[^3]: ‸'],
    ['a[^N] b\n\n[^n]: one\n\n    more‸', 'a[^N][^1] b\n\n[^n]: one\n\n    more\n\n[^1]: ‸'],
    ['a[^1]\n\n[^1]: one\n\nb‸', 'a[^1]\n\n[^1]: one\n\nb[^2]\n\n[^2]: ‸'],
    ['a[^1]\n\n[^1]: one\n# b‸', 'a[^1]\n\n[^1]: one\n# b[^2]\n\n[^2]: ‸'],
  ])('a footnote set in the text of another one stands behind it: %j', (before, expected) => {
    expect(after(before, (state) => specOf(state, { type: 'footnote' }))).toBe(expected)
  })
  test('links escape their text and URL', () => {
    const link = { type: 'link', address: 'https://a.example/x (1)', text: 'a ] b' } as const
    expect(after('‸', (state) => specOf(state, link))).toBe('[a \\] b](<https://a.example/x (1)>)‸')
  })
})
