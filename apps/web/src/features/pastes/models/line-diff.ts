import { diffLines, diffWordsWithSpace } from 'diff'

export interface DiffPart {
  readonly text: string
  /** It is what makes the line different. */
  readonly isChanged: boolean
}

export type DiffRow =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: 'gone'; readonly before: number; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'new'; readonly after: number; readonly parts: readonly DiffPart[] }
  /** Lines that are the same on both sides and are not shown. */
  | { readonly kind: 'gap'; readonly id: number; readonly count: number }

export interface LineDiff {
  readonly rows: readonly DiffRow[]
  readonly gone: number
  readonly added: number
}

/** Lines that are shown around each change. */
const CONTEXT_LINES = 3
/** Texts that have less in common are not compared: it would take the page's time, and nobody reads it. */
const MAX_EDITS = 2000
/** Longer lines are shown as changed in whole. */
const WORDS_MAX_CHARACTERS = 2000

const linesOf = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
const whole = (text: string): DiffPart[] => [{ text, isChanged: false }]

/** A line and what took its place, with the words that differ. */
function compareWords(before: string, after: string): { gone: DiffPart[]; added: DiffPart[] } {
  if (Math.max(before.length, after.length) > WORDS_MAX_CHARACTERS)
    return { gone: whole(before), added: whole(after) }
  const changes = diffWordsWithSpace(before, after)
  const side = (isLeftOut: 'added' | 'removed') =>
    changes
      .filter((change) => !change[isLeftOut])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }))
  return { gone: side('added'), added: side('removed') }
}

/** Lines that went and those that came at the same place: as many as can be are compared word by word. */
function changedRows(
  gone: readonly string[],
  added: readonly string[],
  at: { before: number; after: number },
) {
  const pairs = gone.slice(0, added.length).map((text, index) => compareWords(text, added[index] ?? ''))
  return [
    ...gone.map((text, index): DiffRow => ({
      kind: 'gone',
      before: at.before + index,
      parts: pairs[index]?.gone ?? whole(text),
    })),
    ...added.map((text, index): DiffRow => ({
      kind: 'new',
      after: at.after + index,
      parts: pairs[index]?.added ?? whole(text),
    })),
  ]
}

/** The same lines between two changes, the middle of many left out. */
function sameRows(
  lines: readonly string[],
  at: { before: number; after: number },
  edge: { isFirst: boolean; isLast: boolean },
): DiffRow[] {
  const rows = lines.map((text, index): DiffRow => ({
    kind: 'same',
    before: at.before + index,
    after: at.after + index,
    text,
  }))
  const head = edge.isFirst ? 0 : CONTEXT_LINES
  const tail = edge.isLast ? 0 : CONTEXT_LINES
  const count = rows.length - head - tail
  // A gap of one line would take as much room as the line.
  if (count <= 1) return rows
  return [...rows.slice(0, head), { kind: 'gap', id: at.before, count }, ...rows.slice(rows.length - tail)]
}

/** What changed from one text to another, line by line; `null` where too much did. */
export function compareLines(before: string, after: string): LineDiff | null {
  const [old, fresh] = [before, after].map((text) => text.replaceAll('\r\n', '\n')) as [string, string]
  // Otherwise a last line without a line end would differ from one with it.
  const changes = diffLines(`${linesOf(old).join('\n')}\n`, `${linesOf(fresh).join('\n')}\n`, {
    maxEditLength: MAX_EDITS,
  })
  if (!changes) return null
  const rows: DiffRow[] = []
  const total = { gone: 0, added: 0 }
  const at = { before: 1, after: 1 }
  changes.forEach((change, index) => {
    const lines = linesOf(change.value)
    const next = changes[index + 1]
    if (change.removed) {
      const added = next?.added ? linesOf(next.value) : []
      rows.push(...changedRows(lines, added, at))
      total.gone += lines.length
      total.added += added.length
      at.before += lines.length
      at.after += added.length
    } else if (!change.added) {
      rows.push(...sameRows(lines, at, { isFirst: index === 0, isLast: index === changes.length - 1 }))
      at.before += lines.length
      at.after += lines.length
    } else if (!changes[index - 1]?.removed) {
      rows.push(...changedRows([], lines, at))
      total.added += lines.length
      at.after += lines.length
    }
  })
  return { rows, ...total }
}
