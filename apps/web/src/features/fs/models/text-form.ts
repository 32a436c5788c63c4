/** How the lines of a text file end: an editor knows one way only, and saving must not change the others. */
export type LineEnd = '\n' | '\r\n'

/** The way most lines end. */
export function findLineEnd(text: string): LineEnd {
  const all = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows > all - windows ? '\r\n' : '\n'
}

export const withLineEnd = (text: string, end: LineEnd): string => text.replaceAll(/\r\n|\n/g, end)
