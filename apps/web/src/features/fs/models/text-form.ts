/** How the lines of a text file end: an editor knows one way only, and saving must not change the others. */
export type LineEnd = '\n' | '\r\n' | '\r'

/** The way most lines end. */
export function findLineEnd(text: string): LineEnd {
  const windows = text.split('\r\n').length - 1
  const unix = text.split('\n').length - 1 - windows
  const early = text.split('\r').length - 1 - windows
  if (early > windows && early > unix) return '\r'
  return windows > unix ? '\r\n' : '\n'
}

export const withLineEnd = (text: string, end: LineEnd): string => text.replaceAll(/\r\n|\r|\n/g, end)
