import type { EditorState, TransactionSpec } from '@codemirror/state'
import { textWidthOf } from '../../../lib/text/text-width.ts'

interface SourceTable {
  readonly firstLine: number
  readonly lastLine: number
  /** Cells as written, heading row first, without the delimiter row. */
  readonly rows: readonly (readonly string[])[]
  readonly delimiters: readonly string[]
  /** Row of the caret; 0 is the heading row. */
  readonly row: number
  readonly column: number
}

const DELIMITER_ROW = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim())
}

const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - textWidthOf(text)))

function delimiterOf(mark: string, width: number): string {
  const start = mark.startsWith(':') ? ':' : ''
  const end = mark.length > 1 && mark.endsWith(':') ? ':' : ''
  return start + '-'.repeat(Math.max(3, width) - start.length - end.length) + end
}

const MAX_PADDED_WIDTH = 40

/** Formats a table. Pads cells to at most `MAX_PADDED_WIDTH`, so that the edges of narrow columns align. */
export function formatTable(
  rows: readonly (readonly string[])[],
  delimiters: readonly string[],
): readonly string[] {
  const columns = Math.max(delimiters.length, 1)
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(MAX_PADDED_WIDTH, Math.max(3, ...rows.map((row) => textWidthOf(row[column] ?? '')))),
  )
  const write = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const [heading = [], ...body] = rows
  const line = (row: readonly string[]) =>
    write(widths.map((width, column) => padded(row[column] ?? '', width)))
  const dashes = write(widths.map((width, column) => delimiterOf(delimiters[column] ?? '---', width)))
  return [line(heading), dashes, ...body.map(line)]
}

export const emptyTable = (rows: number, columns: number): string =>
  formatTable(
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => '')),
    Array.from({ length: columns }, () => '---'),
  ).join('\n')

const isRow = (text: string) => text.includes('|') && text.trim() !== ''

/** Returns the table that contains the caret, or `null`. */
export function findTable(state: EditorState): SourceTable | null {
  const { head } = state.selection.main
  const caretLine = state.doc.lineAt(head)
  if (!isRow(caretLine.text)) return null
  let firstLine = caretLine.number
  while (firstLine > 1 && isRow(state.doc.line(firstLine - 1).text)) firstLine -= 1
  let lastLine = caretLine.number
  while (lastLine < state.doc.lines && isRow(state.doc.line(lastLine + 1).text)) lastLine += 1
  const lines = Array.from(
    { length: lastLine - firstLine + 1 },
    (_, index) => state.doc.line(firstLine + index).text,
  )
  const [heading, dashes, ...body] = lines
  if (heading === undefined || dashes === undefined || !DELIMITER_ROW.test(dashes)) return null
  const offset = caretLine.number - firstLine
  const before = caretLine.text
    .slice(0, head - caretLine.from)
    .trimStart()
    .replace(/^\|/, '')
  const delimiters = cellsOf(dashes)
  const column = before.match(/(?<!\\)\|/g)?.length ?? 0
  return {
    firstLine,
    lastLine,
    rows: [cellsOf(heading), ...body.map(cellsOf)],
    delimiters,
    row: Math.max(0, offset - 1),
    column: Math.min(column, delimiters.length - 1),
  }
}

/** Returns the offset of a cell in the text of a formatted table. */
function cellOffset(lines: readonly string[], row: number, column: number): number {
  const lineIndex = row === 0 ? 0 : row + 1
  const before = lines.slice(0, lineIndex).reduce((sum, line) => sum + line.length + 1, 0)
  const line = lines[lineIndex] ?? ''
  let index = 0
  for (let passed = 0; index < line.length; index += 1) {
    if (line[index] !== '|' || line[index - 1] === '\\') continue
    if (passed === column) break
    passed += 1
  }
  return before + Math.min(index + 2, line.length)
}

interface NewTable {
  readonly rows: readonly (readonly string[])[]
  readonly delimiters: readonly string[]
  readonly row: number
  readonly column: number
}

function replaceTable(state: EditorState, table: SourceTable, next: NewTable): TransactionSpec {
  const lines = formatTable(next.rows, next.delimiters)
  const { from } = state.doc.line(table.firstLine)
  const { to } = state.doc.line(table.lastLine)
  return {
    changes: { from, to, insert: lines.join(state.lineBreak) },
    selection: { anchor: from + cellOffset(lines, next.row, next.column) },
    scrollIntoView: true,
  }
}

export type TableAction =
  | 'row-before'
  | 'row-after'
  | 'row-remove'
  | 'column-before'
  | 'column-after'
  | 'column-remove'

/**
 * Adds or removes a row or column at the caret. Returns `null` outside a table, and if the heading row or the only
 * column would be removed.
 */
export function changeTable(state: EditorState, action: TableAction): TransactionSpec | null {
  const table = findTable(state)
  if (!table) return null
  const { rows, delimiters, row, column } = table
  if (action === 'row-remove') {
    // A table must keep its heading row.
    if (row === 0) return null
    const next = rows.toSpliced(row, 1)
    return replaceTable(state, table, { rows: next, delimiters, row: Math.min(row, next.length - 1), column })
  }
  if (action === 'row-before' || action === 'row-after') {
    const at = action === 'row-before' ? Math.max(1, row) : row + 1
    return replaceTable(state, table, { rows: rows.toSpliced(at, 0, []), delimiters, row: at, column })
  }
  if (action === 'column-remove') {
    if (delimiters.length === 1) return null
    return replaceTable(state, table, {
      rows: rows.map((cells) => cells.toSpliced(column, 1)),
      delimiters: delimiters.toSpliced(column, 1),
      row,
      column: Math.max(0, column - 1),
    })
  }
  const at = action === 'column-before' ? column : column + 1
  const full = (cells: readonly string[]) => delimiters.map((_, index) => cells[index] ?? '')
  return replaceTable(state, table, {
    rows: rows.map((cells) => full(cells).toSpliced(at, 0, '')),
    delimiters: delimiters.toSpliced(at, 0, '---'),
    row,
    column: at,
  })
}

/**
 * Moves to the next or previous cell, and adds a row after the last cell. Returns `null` outside a table and before the
 * first cell.
 */
export function stepCell(state: EditorState, step: 1 | -1): TransactionSpec | null {
  const table = findTable(state)
  if (!table) return null
  const { rows, delimiters } = table
  const index = table.row * delimiters.length + table.column + step
  if (index < 0) return null
  const row = Math.floor(index / delimiters.length)
  const isNew = row >= rows.length
  return replaceTable(state, table, {
    rows: isNew ? [...rows, []] : rows,
    delimiters,
    row,
    column: index % delimiters.length,
  })
}
