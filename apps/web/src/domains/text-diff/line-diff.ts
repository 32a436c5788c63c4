import { diffLines, diffWordsWithSpace } from 'diff'

export interface DiffPart {
  readonly text: string
  /** Whether this part differs from the other line. */
  readonly isChanged: boolean
}

export type DiffRow =
  | { readonly kind: 'same'; readonly before: number; readonly after: number; readonly text: string }
  | { readonly kind: 'gone'; readonly before: number; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'new'; readonly after: number; readonly parts: readonly DiffPart[] }
  /** Unchanged lines that are not shown. */
  | { readonly kind: 'gap'; readonly id: number; readonly count: number }

export interface LineDiff {
  readonly rows: readonly DiffRow[]
  readonly gone: number
  readonly added: number
}

/** Number of unchanged lines to show around each change. */
const CONTEXT_LINES = 3
/** Texts with more differences are not compared, because the comparison would take too long. */
const MAX_EDITS = 2000
/** A changed line with more characters is not compared word by word. */
const WORDS_MAX_CHARACTERS = 2000

const linesOf = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
const whole = (text: string): DiffPart[] => [{ text, isChanged: false }]

/** Compares a line with its replacement word by word. */
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

/**
 * Returns rows for the lines that were removed and added at one position. Compares the first removed line with the
 * first added line word by word, the second with the second, and so on.
 */
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

/** Returns rows for the unchanged lines between two changes. Omits the middle if there are many lines. */
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
  // Shows a single unchanged line instead of a gap, because a gap would need the same space.
  if (count <= 1) return rows
  return [...rows.slice(0, head), { kind: 'gap', id: at.before, count }, ...rows.slice(rows.length - tail)]
}

/** Compares two texts line by line; returns `null` if there are too many differences. */
export function compareLines(before: string, after: string): LineDiff | null {
  const [old, fresh] = [before, after].map((text) => text.replaceAll('\r\n', '\n')) as [string, string]
  // Adds a line end to both texts. Otherwise a last line without a line end would differ from the same line with one.
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
