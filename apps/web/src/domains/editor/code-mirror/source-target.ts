import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { syntaxTree } from '@codemirror/language'
import type { EditorState, Line, TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { EditorAction, EditorTarget, PlainAction, TargetState } from '../editor-target.ts'
import { hasInline, toggleInline, type InlineMark } from './inline-marks.ts'
import {
  clearHeading,
  indentLines,
  type LineMark,
  lineState,
  outdentLines,
  toggleLines,
  toggleQuote,
} from './line-marks.ts'
import { changeTable, emptyTable, findTable, type TableAction } from './table-source.ts'

const STATE_DELAY_MS = 120

const INLINE: Partial<Record<PlainAction, InlineMark>> = {
  bold: '**',
  italic: '*',
  strike: '~~',
  code: '`',
  highlight: '==',
}

/** Whether a position is in a code block, where Markdown syntax has no meaning. */
export function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    if (node.name === 'FencedCode' || node.name === 'CodeBlock') return true
  }
  return false
}

interface Block {
  readonly text: string
  /** Start of the caret or selection within `text`. */
  readonly from: number
  readonly to?: number
}

/**
 * Inserts a block in the line of the caret if the line is blank, otherwise below the line. Adds missing blank lines
 * around the block.
 */
function insertBlock(state: EditorState, { text, from, to = from }: Block): TransactionSpec {
  const { main } = state.selection
  const line = state.doc.lineAt(main.to)
  const isBlank = line.text.trim() === ''
  const above = isBlank ? (line.number === 1 ? '' : state.doc.line(line.number - 1).text) : line.text
  const below = line.number === state.doc.lines ? null : state.doc.line(line.number + 1).text
  const start = (isBlank ? '' : '\n') + (above.trim() === '' ? '' : '\n')
  const end = below === null ? '\n' : below.trim() === '' ? '' : '\n'
  const at = isBlank ? line.from : line.to
  const anchor = at + start.length
  return {
    changes: { from: at, to: line.to, insert: start + text + end },
    selection: { anchor: anchor + from, head: anchor + to },
    scrollIntoView: true,
    userEvent: 'input',
  }
}

function codeBlock(state: EditorState, language: string): TransactionSpec {
  const { main } = state.selection
  if (main.empty) {
    const text = `\`\`\`${language}\n\n\`\`\``
    return insertBlock(state, { text, from: 4 + language.length })
  }
  const first = state.doc.lineAt(main.from)
  const last = state.doc.lineAt(main.to)
  const code = state.sliceDoc(first.from, last.to)
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return {
    changes: { from: first.from, to: last.to, insert: `${fence}${language}\n${code}\n${fence}` },
    selection: { anchor: first.from + fence.length + language.length + 1 },
    scrollIntoView: true,
  }
}

/** Matches lines that cannot continue the paragraph above them. */
const BLOCK_START = /^ {0,3}(?:#{1,6}\s|>|[-*+]\s|\d+[.)]\s|```|~~~)/
const INDENTED = /^(?: {4}| {0,3}\t)/

/**
 * Returns the name of the footnote whose definition contains the line, or `null`. Indented and continuation lines
 * belong to a definition.
 */
function noteAround(state: EditorState, line: Line): string | null {
  let isIndented = true
  for (let { number } = line; number > 0; number -= 1) {
    const { from, text } = state.doc.line(number)
    const name = /^ {0,3}\[\^([^\s\]]+)\]:/.exec(text)?.[1]
    if (name !== undefined) return isInCode(state, from + 1) ? null : name
    const isBlank = number < line.number && text.trim() === ''
    if (isBlank ? !isIndented : BLOCK_START.test(text)) return null
    if (!isBlank) isIndented = INDENTED.test(text)
  }
  return null
}

/**
 * Returns where to insert a footnote reference: at the caret or, inside a footnote definition, after the first
 * reference to that footnote in the text.
 */
function placeOfNote(state: EditorState): number {
  const { head } = state.selection.main
  const name = noteAround(state, state.doc.lineAt(head))
  if (name === null) return head
  const mark = `[^${name.toLowerCase()}]`
  for (const { 0: marks, index } of state.doc.toString().matchAll(/(?:\[\^[^\s\]]+\])+/g)) {
    const isMention = marks.toLowerCase().includes(mark) && !isInCode(state, index + 1)
    if (isMention && noteAround(state, state.doc.lineAt(index)) === null) return index + marks.length
  }
  return head
}

/** Inserts a footnote with the lowest unused number. */
function insertFootnote(state: EditorState): TransactionSpec {
  const used = new Set([...state.doc.toString().matchAll(/\[\^(\d+)\]/g)].map((match) => Number(match[1])))
  let number = 1
  while (used.has(number)) number += 1
  const { length } = state.doc
  const last = state.doc.line(state.doc.lines).text
  const isAfterNote = /^\[\^[^\]]+\]:/.test(last)
  const before = last.trim() === '' ? '' : isAfterNote ? '\n' : '\n\n'
  const mark = `[^${number}]`
  const note = `${before}${mark}: `
  return {
    changes: [
      { from: placeOfNote(state), insert: mark },
      { from: length, insert: note },
    ],
    selection: { anchor: length + mark.length + note.length },
    scrollIntoView: true,
  }
}

const escapeWords = (text: string) => text.replaceAll(/[[\]\\]/g, '\\$&')
/**
 * Wraps a URL that contains white space, parentheses or angle brackets in angle brackets, because such characters could
 * end the URL. Percent-encodes angle brackets and line ends in the URL.
 */
const writeAddress = (address: string) =>
  /[\s()<>]/.test(address)
    ? `<${address.replaceAll(/[<>\n]/g, (sign) => encodeURIComponent(sign))}>`
    : address

export const linkSource = (type: 'link' | 'image', text: string, address: string) =>
  `${type === 'image' ? '!' : ''}[${escapeWords(text)}](${writeAddress(address)})`

const isTableAction = (type: PlainAction): type is TableAction => /^(?:row|column)-/.test(type)

function plainSpec(state: EditorState, type: PlainAction): TransactionSpec | null {
  const mark = INLINE[type]
  if (mark) return toggleInline(state, mark)
  if (isTableAction(type)) return changeTable(state, type)
  if (type === 'bullets' || type === 'numbers' || type === 'tasks') return toggleLines(state, type)
  if (type === 'indent') return indentLines(state)
  if (type === 'outdent') return outdentLines(state)
  if (type === 'quote') return toggleQuote(state)
  if (type === 'rule') return insertBlock(state, { text: '---\n', from: 4 })
  return type === 'footnote' ? insertFootnote(state) : null
}

/**
 * Returns the change for an action. Returns `null` for undo and redo, and for table actions that are not possible at
 * the caret.
 */
export function specOf(state: EditorState, action: EditorAction): TransactionSpec | null {
  if (action.type === 'heading') {
    return action.level === 0 ? clearHeading(state) : toggleLines(state, `h${action.level}` as LineMark)
  }
  if (action.type === 'code-block') return codeBlock(state, action.language)
  if (action.type === 'table') {
    return insertBlock(state, { text: emptyTable(action.rows, action.columns), from: 2 })
  }
  if (action.type === 'insert') return state.replaceSelection(action.text)
  if (action.type === 'link' || action.type === 'image') {
    return state.replaceSelection(linkSource(action.type, action.text, action.address))
  }
  return plainSpec(state, action.type)
}

function stateOf(state: EditorState): TargetState {
  const { kind, isQuote } = lineState(state)
  const active = new Set<PlainAction>()
  for (const [action, mark] of Object.entries(INLINE)) {
    if (hasInline(state, mark)) active.add(action as PlainAction)
  }
  if (kind === 'bullets' || kind === 'numbers' || kind === 'tasks') active.add(kind)
  if (isQuote) active.add('quote')
  return {
    active,
    headingLevel: kind?.startsWith('h') ? Number(kind.slice(1)) : 0,
    isInTable: findTable(state) !== null,
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
  }
}

const isSameState = (one: TargetState, other: TargetState) =>
  one.headingLevel === other.headingLevel &&
  one.isInTable === other.isInTable &&
  one.canUndo === other.canUndo &&
  one.canRedo === other.canRedo &&
  one.active.size === other.active.size &&
  [...one.active].every((action) => other.active.has(action))

/** Creates the toolbar target for a source editor, and the extension that notifies the target of changes. */
export function createSourceTarget(view: EditorView) {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = stateOf(view.state)
  const tell = () => {
    const next = stateOf(view.state)
    // Keeps the old object if nothing has changed, so that React does not render again.
    if (!isSameState(last, next)) last = next
    for (const listener of listeners) listener()
  }
  const extension = EditorView.updateListener.of(({ docChanged, selectionSet }) => {
    if (!docChanged && !selectionSet) return
    clearTimeout(timer)
    timer = setTimeout(tell, STATE_DELAY_MS)
  })
  const target: EditorTarget = {
    run: (action) => {
      if (action.type === 'undo') undo(view)
      else if (action.type === 'redo') redo(view)
      else {
        const spec = specOf(view.state, action)
        if (spec) view.dispatch(spec, { userEvent: 'input', scrollIntoView: true })
      }
      view.focus()
    },
    getState: () => last,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    selectedText: () => {
      const { from, to } = view.state.selection.main
      return view.state.sliceDoc(from, to)
    },
    focus: () => view.focus(),
  }
  return { target, extension, destroy: () => clearTimeout(timer) }
}
