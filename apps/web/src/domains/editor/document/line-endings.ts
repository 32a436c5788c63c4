/**
 * Editors use only one kind of line ending. This module restores the original endings, so that only edited lines
 * differ from the stored text.
 */

const LINE = /([^\r\n]*)(\r\n|\r|\n|$)/g

interface Line {
  readonly text: string
  /** Line ending; empty for the last line. */
  readonly end: string
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (const [, words = '', end = ''] of text.matchAll(LINE)) {
    lines.push({ text: words, end })
    if (end === '') break
  }
  return lines
}

/** The search for a line ends this many lines after the previous match. */
const SEARCHED_LINES = 500

/** Returns the line endings for the changed part, between the unchanged start and end. */
function endsOfChanged(before: readonly Line[], after: readonly string[], fallback: string): string[] {
  let at = 0
  let last = fallback
  return after.map((text) => {
    const until = Math.min(before.length, at + SEARCHED_LINES)
    let found = at
    while (found < until && before[found]?.text !== text) found += 1
    const isFound = found < until
    last = before[isFound ? found : at]?.end || last
    if (isFound) at = found + 1
    return last
  })
}

/** Returns the most frequent line ending. */
function usualEnd(lines: readonly Line[]): string {
  const counts = new Map<string, number>()
  for (const { end } of lines) if (end !== '') counts.set(end, (counts.get(end) ?? 0) + 1)
  const [usual = '\n'] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? []
  return usual
}

/**
 * Restores the line endings of an edited text. Unchanged lines keep their endings; new lines get those of their
 * neighbours.
 */
export function keepLineEndings(before: string, edited: string): string {
  if (!before.includes('\r')) return edited
  const old = linesOf(before)
  const lines = linesOf(edited).map(({ text }) => text)
  const shorter = Math.min(old.length, lines.length)
  let head = 0
  while (head < shorter && old[head]?.text === lines[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail)?.text === lines.at(-1 - tail)) tail += 1
  const usual = old[head - 1]?.end || usualEnd(old)
  const ends = [
    ...old.slice(0, head).map(({ end }) => end || usual),
    ...endsOfChanged(old.slice(head, old.length - tail), lines.slice(head, lines.length - tail), usual),
    ...old.slice(old.length - tail).map(({ end }) => end || usual),
  ]
  return lines.map((text, index) => text + (index < lines.length - 1 ? ends[index] : '')).join('')
}
