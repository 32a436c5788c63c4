import { type ChangeSpec, EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'

export type InlineMark = '**' | '*' | '~~' | '`' | '=='

interface Span {
  readonly from: number
  readonly to: number
}

/** Matches the syntax before the text of a line: indentation, quote marks, list or heading markers. */
const LINE_START = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?/

/**
 * Splits a selection into one span per line with text. A span excludes the syntax before the text and the outer spaces,
 * because a mark cannot span two blocks or have spaces inside its ends.
 */
function spansOf(state: EditorState, { from, to }: Span): Span[] {
  const spans: Span[] = []
  for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
    const start = Math.max(from, line.from + (LINE_START.exec(line.text)?.[0].length ?? 0))
    const text = state.sliceDoc(start, Math.min(to, line.to))
    const blanks = text.length - text.trimStart().length
    if (text.trim() !== '') spans.push({ from: start + blanks, to: start + blanks + text.trim().length })
    if (line.to >= to) return spans
  }
}

const runLength = (text: string, character: string, step: 1 | -1) => {
  let length = 0
  const start = step === 1 ? 0 : text.length - 1
  while (text[start + length * step] === character) length += 1
  return length
}

/**
 * Whether a run of mark characters contains the mark. One asterisk is emphasis, two are strong emphasis, three are
 * both.
 */
function isMarkedBy(mark: InlineMark, run: number): boolean {
  if (mark === '*') return run % 2 === 1
  return run >= mark.length
}

interface Marked {
  /** Text inside the mark. */
  readonly inner: Span
  readonly outer: Span
}

/** Finds the mark around a span or at its ends. */
function findMark(state: EditorState, { from, to }: Span, mark: InlineMark): Marked | null {
  const character = mark.charAt(0)
  const around = Math.min(
    runLength(state.sliceDoc(Math.max(0, from - 3), from), character, -1),
    runLength(state.sliceDoc(to, to + 3), character, 1),
  )
  const size = mark.length
  if (isMarkedBy(mark, around)) return { inner: { from, to }, outer: { from: from - size, to: to + size } }
  const text = state.sliceDoc(from, to)
  const inside = Math.min(runLength(text, character, 1), runLength(text, character, -1))
  if (text.length <= 2 * size || !isMarkedBy(mark, inside)) return null
  return { inner: { from: from + size, to: to - size }, outer: { from, to } }
}

/**
 * Adds the mark to the selection or to the word at the caret, or removes the mark if all lines have it. Without text to
 * mark, inserts or removes an empty pair of marks.
 */
export function toggleInline(state: EditorState, mark: InlineMark): TransactionSpec {
  const size = mark.length
  return state.changeByRange((range) => {
    const spans = spansOf(state, range.empty ? (state.wordAt(range.from) ?? range) : range)
    if (spans.length === 0) {
      const isInside = findMark(state, range, mark) !== null
      if (isInside) {
        const changes = { from: range.from - size, to: range.to + size }
        return { changes, range: EditorSelection.cursor(range.from - size) }
      }
      return {
        changes: { from: range.from, insert: mark + mark },
        range: EditorSelection.cursor(range.from + size),
      }
    }
    const found = spans.map((span) => findMark(state, span, mark))
    const isRemoval = found.every((marked) => marked !== null)
    const changes = spans.flatMap((span, index): ChangeSpec[] => {
      const marked = found[index]
      if (isRemoval && marked) {
        return [
          { from: marked.outer.from, to: marked.inner.from },
          { from: marked.inner.to, to: marked.outer.to },
        ]
      }
      return marked
        ? []
        : [
            { from: span.from, insert: mark },
            { from: span.to, insert: mark },
          ]
    })
    const set = state.changes(changes)
    const first = spans[0] ?? range
    const last = spans.at(-1) ?? range
    if (range.empty) return { changes, range: EditorSelection.cursor(set.mapPos(range.from, 1)) }
    return { changes, range: EditorSelection.range(set.mapPos(first.from, 1), set.mapPos(last.to, -1)) }
  })
}

/** Whether the selection, or the word at the caret, has the mark. */
export function hasInline(state: EditorState, mark: InlineMark): boolean {
  const { main } = state.selection
  const spans = spansOf(state, main.empty ? (state.wordAt(main.from) ?? main) : main)
  return spans.length > 0 && spans.every((span) => findMark(state, span, mark) !== null)
}
