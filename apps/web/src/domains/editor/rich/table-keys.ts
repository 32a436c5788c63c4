import type { Node } from 'prosemirror-model'
import { type Command, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { addRowAfter, isInTable, selectedRect, TableMap } from 'prosemirror-tables'
import { schema } from './schema.ts'

const { nodes } = schema

const isEmpty = (row: Node): boolean =>
  row.textContent === '' && row.content.content.every((cell) => cell.childCount === 0)

/** Removes the empty last row of a table, and moves the caret to a new paragraph below the table. */
function leave(transaction: Transaction, tableAt: number): Transaction {
  const table = transaction.doc.nodeAt(tableAt)!
  const rowEnd = tableAt + table.nodeSize - 1
  transaction.delete(rowEnd - table.lastChild!.nodeSize, rowEnd)
  const after = tableAt + transaction.doc.nodeAt(tableAt)!.nodeSize
  transaction.insert(after, nodes.paragraph.create())
  return transaction.setSelection(TextSelection.create(transaction.doc, after + 1))
}

/**
 * Moves to the cell below, because a cell in Markdown has only one line. Adds a row if needed. In an empty last row,
 * removes the row and moves below the table.
 */
export const enterInTable: Command = (state, dispatch) => {
  if (!isInTable(state)) return false
  const { table, tableStart, bottom, left, map } = selectedRect(state)
  const goTo = (transaction: Transaction) => {
    const grown = transaction.doc.nodeAt(tableStart - 1)!
    const cell = tableStart + TableMap.get(grown).positionAt(bottom, left, grown)
    const inside = Selection.near(transaction.doc.resolve(cell + 1))
    dispatch?.(transaction.setSelection(inside).scrollIntoView())
  }
  if (bottom < map.height) goTo(state.tr)
  else if (map.height > 1 && isEmpty(table.lastChild!))
    dispatch?.(leave(state.tr, tableStart - 1).scrollIntoView())
  else return addRowAfter(state, goTo)
  return true
}
