import type { ChangeSpec, EditorState, Line, TransactionSpec } from '@codemirror/state'

export type LineMark = 'bullets' | 'numbers' | 'tasks' | `h${1 | 2 | 3 | 4 | 5 | 6}`

const LINE =
  /^(?<lead>[ \t]*(?:>[ \t]?)*)(?<mark>(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\](?:[ \t]+|$))?|#{1,6}[ \t]+)?/

interface LineParts {
  /** Indentation and quote marks at the start of the line. */
  readonly lead: string
  readonly mark: string
}

function partsOf(text: string): LineParts {
  const groups = LINE.exec(text)?.groups
  return { lead: groups?.['lead'] ?? '', mark: groups?.['mark'] ?? '' }
}

function kindOf({ mark }: LineParts): LineMark | null {
  if (mark === '') return null
  if (mark.startsWith('#')) return `h${mark.trimEnd().length}` as LineMark
  if (mark.includes('[')) return 'tasks'
  return /^\d/.test(mark) ? 'numbers' : 'bullets'
}

function selectedLines(state: EditorState): Line[] {
  const numbers = new Set<number>()
  for (const { from, to } of state.selection.ranges) {
    const last = state.doc.lineAt(to).number
    for (let number = state.doc.lineAt(from).number; number <= last; number += 1) numbers.add(number)
  }
  return [...numbers].map((number) => state.doc.line(number))
}

/** Returns the selected lines without the blank ones, or the first line if all are blank. */
function meantLines(state: EditorState): Line[] {
  const lines = selectedLines(state)
  const filled = lines.filter(({ text }) => text.trim() !== '')
  return filled.length === 0 ? lines.slice(0, 1) : filled
}

function markText(kind: LineMark, number: number): string {
  if (kind === 'bullets') return '- '
  if (kind === 'tasks') return '- [ ] '
  if (kind === 'numbers') return `${number}. `
  return `${'#'.repeat(Number(kind.slice(1)))} `
}

/**
 * Turns the selected lines into list items or headings. If all lines are already of this kind, turns them back into
 * plain lines.
 */
export function toggleLines(state: EditorState, kind: LineMark): TransactionSpec {
  const lines = meantLines(state)
  const isRemoval = lines.every(({ text }) => kindOf(partsOf(text)) === kind)
  const changes = state.changes(
    lines.map(({ from, text }, index) => {
      const { lead, mark } = partsOf(text)
      const start = from + lead.length
      return { from: start, to: start + mark.length, insert: isRemoval ? '' : markText(kind, index + 1) }
    }),
  )
  // A caret at the start of a line moves behind the inserted mark, so that it stays directly before the text.
  return { changes, selection: state.selection.map(changes, state.selection.main.empty ? 1 : -1) }
}

export function clearHeading(state: EditorState): TransactionSpec {
  const headings = meantLines(state).filter(({ text }) => kindOf(partsOf(text))?.startsWith('h'))
  return {
    changes: headings.map(({ from, text }) => {
      const { lead, mark } = partsOf(text)
      return { from: from + lead.length, to: from + lead.length + mark.length }
    }),
  }
}

export function toggleQuote(state: EditorState): TransactionSpec {
  const lines = selectedLines(state)
  const isRemoval = lines.every(({ text }) => /^[ \t]*>/.test(text))
  return {
    changes: lines.map(({ from, text }): ChangeSpec => {
      if (!isRemoval) return { from, insert: text === '' ? '>' : '> ' }
      const blanks = /^[ \t]*/.exec(text)?.[0].length ?? 0
      const size = /^>[ \t]?/.exec(text.slice(blanks))?.[0].length ?? 0
      return { from: from + blanks, to: from + blanks + size }
    }),
  }
}

/**
 * Returns the indentation that makes a line a child of the list item above: the width of that item's bullet or number
 * plus one space. Returns 2 if there is no such item.
 */
function stepOf(state: EditorState, line: Line): number {
  const own = partsOf(line.text).lead.length
  for (let number = line.number - 1; number >= 1; number -= 1) {
    const { text } = state.doc.line(number)
    const { lead, mark } = partsOf(text)
    if (text.trim() === '') break
    if (mark !== '' && !mark.startsWith('#') && lead.length <= own) return mark.search(/\s/) + 1
  }
  return 2
}

/** Indents the selected lines, which makes list items children of the item above. */
export const indentLines = (state: EditorState): TransactionSpec => {
  const lines = meantLines(state)
  const first = lines[0]
  const width = first ? stepOf(state, first) : 2
  return { changes: lines.map(({ from }) => ({ from, insert: ' '.repeat(width) })) }
}

export const outdentLines = (state: EditorState): TransactionSpec => {
  const lines = meantLines(state)
  const width = lines.some(({ text }) => /^ {3}[ \t]*\d/.test(text)) ? 3 : 2
  return {
    changes: lines.flatMap(({ from, text }) => {
      const size = text.startsWith('\t') ? 1 : Math.min(width, /^ */.exec(text)?.[0].length ?? 0)
      return size === 0 ? [] : [{ from, to: from + size }]
    }),
  }
}

export const isListLine = (text: string): boolean => {
  const kind = kindOf(partsOf(text))
  return kind !== null && !kind.startsWith('h')
}

/**
 * Renumbers the following items of the same depth, starting from `next`. Stops at the end of the list, or at an item
 * whose number does not continue the old numbering.
 */
function renumber(state: EditorState, { after, lead, next }: { after: Line; lead: string; next: number }) {
  const changes: ChangeSpec[] = []
  let expected = next
  for (let number = after.number + 1; number <= state.doc.lines; number += 1) {
    const line = state.doc.line(number)
    const parts = partsOf(line.text)
    if (line.text.trim() === '' || parts.lead.length < lead.length) break
    if (parts.lead.length > lead.length) continue
    const digits = /^\d+/.exec(parts.mark)?.[0]
    if (digits === undefined || Number(digits) !== expected - 1) break
    const from = line.from + lead.length
    changes.push({ from, to: from + digits.length, insert: String(expected) })
    expected += 1
  }
  return changes
}

/**
 * Handles Enter in a list or quote: starts the next item or quoted line. In an empty item or quoted line, ends the list
 * or the innermost quote.
 * @returns `null` if Enter keeps its default behaviour.
 */
export function continueLine(state: EditorState): TransactionSpec | null {
  const { main, ranges } = state.selection
  if (!main.empty || ranges.length > 1) return null
  const line = state.doc.lineAt(main.head)
  const parts = partsOf(line.text)
  const isItem = isListLine(line.text)
  const start = line.from + parts.lead.length + parts.mark.length
  const isQuote = parts.lead.includes('>')
  if ((!isItem && !isQuote) || parts.mark.startsWith('#') || main.head < start) return null
  if (line.text.slice(start - line.from).trim() === '') {
    const kept = isItem ? parts.lead : parts.lead.replace(/>[ \t]?$/, '')
    return { changes: { from: line.from, to: line.to, insert: kept }, userEvent: 'input' }
  }
  const number = /^\d+/.exec(parts.mark)?.[0]
  const mark =
    number === undefined
      ? parts.mark.replace(/\[[xX]\]/, '[ ]')
      : parts.mark.replace(number, String(Number(number) + 1)).replace(/\[[xX]\]/, '[ ]')
  const insert = `${state.lineBreak}${parts.lead}${mark}`
  const blanks = /^[ \t]*/.exec(line.text.slice(main.head - line.from))?.[0].length ?? 0
  const changes: ChangeSpec[] = [{ from: main.head, to: main.head + blanks, insert }]
  if (number !== undefined) {
    changes.push(...renumber(state, { after: line, lead: parts.lead, next: Number(number) + 2 }))
  }
  return {
    changes,
    selection: { anchor: main.head + insert.length },
    userEvent: 'input',
    scrollIntoView: true,
  }
}

/** Returns the type of the line at the caret, and whether the line is quoted. */
export function lineState(state: EditorState): { kind: LineMark | null; isQuote: boolean } {
  const parts = partsOf(state.doc.lineAt(state.selection.main.head).text)
  return { kind: kindOf(parts), isQuote: parts.lead.includes('>') }
}
