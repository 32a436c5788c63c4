import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
import type { Attrs, Mark, MarkType, Node, NodeType } from 'prosemirror-model'
import { liftListItem, sinkListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state'
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  isInTable,
} from 'prosemirror-tables'
import type { EditorAction, PlainAction, TargetState } from '../editor-target.ts'
import { schema } from './schema.ts'

const { nodes } = schema

const MARK_NAMES: Partial<Record<PlainAction, string>> = {
  bold: 'strong',
  italic: 'em',
  strike: 'strike',
  code: 'code',
  highlight: 'highlight',
}

function markType(name: string): MarkType {
  const type = schema.marks[name]
  if (!type) throw new Error(`There is no mark ${name}.`)
  return type
}

/** Finds the innermost ancestor of the selection that matches. */
function findParent(state: EditorState, isWanted: (node: Node) => boolean) {
  const { $from } = state.selection
  for (let { depth } = $from; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    if (isWanted(node)) return { node, at: $from.before(depth), depth }
  }
  return null
}

const isList = ({ type }: Node) => type === nodes.bullet_list || type === nodes.ordered_list

interface ListState {
  readonly at: number
  readonly node: Node
  readonly isTasks: boolean
}

function listAt(state: EditorState): ListState | null {
  const list = findParent(state, isList)
  const item = findParent(state, ({ type }) => type === nodes.list_item)
  return (
    list && { at: list.at, node: list.node, isTasks: item !== null && item.node.attrs['checked'] !== null }
  )
}

type ListKind = 'bullets' | 'numbers' | 'tasks'

const kindOf = (list: ListState | null): ListKind | null =>
  list && (list.isTasks ? 'tasks' : list.node.type === nodes.ordered_list ? 'numbers' : 'bullets')

/** Turns a paragraph into a list, changes the list type, or lifts the selected items out of a list of that type. */
const toggleList =
  (kind: ListKind): Command =>
  (state, dispatch) => {
    const type = kind === 'numbers' ? nodes.ordered_list : nodes.bullet_list
    const list = listAt(state)
    if (kindOf(list) === kind) return liftListItem(nodes.list_item)(state, dispatch)
    if (!list) {
      return wrapInList(type)(state, (transaction) => {
        if (kind === 'tasks') {
          const { from, to } = transaction.selection
          transaction.doc.nodesBetween(from, to, (node, at) => {
            if (node.type === nodes.list_item) transaction.setNodeAttribute(at, 'checked', false)
          })
        }
        dispatch?.(transaction)
      })
    }
    if (dispatch) {
      const transaction = state.tr.setNodeMarkup(list.at, type, {
        isTight: list.node.attrs['isTight'] as boolean,
      })
      list.node.forEach((_item, offset) => {
        transaction.setNodeAttribute(list.at + 1 + offset, 'checked', kind === 'tasks' ? false : null)
      })
      dispatch(transaction)
    }
    return true
  }

const toggleQuote: Command = (state, dispatch) =>
  findParent(state, ({ type }) => type === nodes.blockquote)
    ? lift(state, dispatch)
    : wrapIn(nodes.blockquote)(state, dispatch)

const toggleBlock =
  (type: NodeType, attributes: Attrs): Command =>
  (state, dispatch) => {
    const isIt = state.selection.$from.parent.hasMarkup(type, attributes)
    return isIt
      ? setBlockType(nodes.paragraph)(state, dispatch)
      : setBlockType(type, attributes)(state, dispatch)
  }

const insertBlock =
  (make: () => Node): Command =>
  (state, dispatch) => {
    const node = make()
    const transaction = state.tr.replaceSelectionWith(node)
    const after = transaction.mapping.map(state.selection.from)
    const inside = Selection.near(transaction.doc.resolve(Math.max(0, after - node.nodeSize)), 1)
    dispatch?.(transaction.setSelection(inside).scrollIntoView())
    return true
  }

function emptyTable(rows: number, columns: number): Node {
  const row = (type: NodeType) =>
    nodes.table_row.create(
      null,
      Array.from({ length: columns }, () => type.create()),
    )
  return nodes.table.create(null, [
    row(nodes.table_header),
    ...Array.from({ length: rows - 1 }, () => row(nodes.table_cell)),
  ])
}

const insertFootnote: Command = (state, dispatch) => {
  const used = new Set(
    [...JSON.stringify(state.doc.toJSON()).matchAll(/\[\^(\d+)\]/g)].map(([, number]) => number),
  )
  let number = 1
  while (used.has(String(number))) number += 1
  const sign = nodes.raw_inline.create({ source: `[^${number}]` })
  const note = nodes.raw_block.create(null, schema.text(`[^${number}]: `))
  const transaction = state.tr.replaceSelectionWith(sign)
  transaction.insert(transaction.doc.content.size, note)
  transaction.setSelection(TextSelection.atEnd(transaction.doc))
  dispatch?.(transaction.scrollIntoView())
  return true
}

const insertText =
  (text: string, active: readonly Mark[] | null): Command =>
  (state, dispatch) => {
    const held = active ?? state.storedMarks ?? state.selection.$from.marks()
    dispatch?.(state.tr.replaceSelectionWith(schema.text(text, held), false).scrollIntoView())
    return true
  }

const TABLE: Partial<Record<PlainAction, Command>> = {
  'row-before': addRowBefore,
  'row-after': addRowAfter,
  'row-remove': deleteRow,
  'column-before': addColumnBefore,
  'column-after': addColumnAfter,
  'column-remove': deleteColumn,
}

const PLAIN: Partial<Record<PlainAction, Command>> = {
  undo,
  redo,
  bullets: toggleList('bullets'),
  numbers: toggleList('numbers'),
  tasks: toggleList('tasks'),
  indent: sinkListItem(nodes.list_item),
  outdent: liftListItem(nodes.list_item),
  quote: toggleQuote,
  rule: insertBlock(() => nodes.horizontal_rule.create()),
  footnote: insertFootnote,
  ...TABLE,
}

export function commandOf(action: EditorAction): Command {
  if (action.type === 'heading') {
    return action.level === 0
      ? setBlockType(nodes.paragraph)
      : toggleBlock(nodes.heading, { level: action.level })
  }
  if (action.type === 'code-block') return toggleBlock(nodes.code_block, { info: action.language })
  if (action.type === 'table') return insertBlock(() => emptyTable(action.rows, action.columns))
  if (action.type === 'insert') return insertText(action.text, null)
  if (action.type === 'link') {
    return insertText(action.text, [schema.mark('link', { href: action.address, title: null })])
  }
  if (action.type === 'image') {
    const image = nodes.image.create({ src: action.address, alt: action.text })
    return (state, dispatch) => {
      dispatch?.(state.tr.replaceSelectionWith(image).scrollIntoView())
      return true
    }
  }
  const mark = MARK_NAMES[action.type]
  return mark ? toggleMark(markType(mark)) : (PLAIN[action.type] ?? (() => false))
}

function hasMark({ selection, doc, storedMarks }: EditorState, name: string): boolean {
  const type = markType(name)
  if (selection.empty) return type.isInSet(storedMarks ?? selection.$from.marks()) !== undefined
  return doc.rangeHasMark(selection.from, selection.to, type)
}

export function richState(state: EditorState): TargetState {
  const active = new Set<PlainAction>()
  for (const [action, name] of Object.entries(MARK_NAMES)) {
    if (hasMark(state, name)) active.add(action as PlainAction)
  }
  const kind = kindOf(listAt(state))
  if (kind) active.add(kind)
  if (findParent(state, ({ type }) => type === nodes.blockquote)) active.add('quote')
  const { parent } = state.selection.$from
  return {
    active,
    headingLevel: parent.type === nodes.heading ? Number(parent.attrs['level']) : 0,
    isInTable: isInTable(state),
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
  }
}
