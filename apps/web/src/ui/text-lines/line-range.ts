/** A range of lines, from 1, both ends included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Parses a URL fragment such as `#L10`, `#L10-L20` or `#L10-20`; `null` for anything else. */
export function parseLines(hash: string): LineRange | null {
  const match = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash)
  if (!match) return null
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])]
  return a === 0 || b === 0 ? null : { first: Math.min(a, b), last: Math.max(a, b) }
}

export const hashOfLines = ({ first, last }: LineRange): string =>
  first === last ? `#L${first}` : `#L${first}-L${last}`

/** Returns the text of the lines. Ignores lines beyond the end. */
export const textOfLines = (text: string, { first, last }: LineRange): string =>
  text
    .split(/\r?\n/)
    .slice(first - 1, last)
    .join('\n')
