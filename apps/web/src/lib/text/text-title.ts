const TITLE_LETTERS = 60
/** Markdown syntax at the start of a line. */
const MARKS = /^(?:(?:#{1,6}|>|[-*+]|\d+[.)])\s+)+/

/** Returns the first line of a text as its title, shortened and without the Markdown syntax at its start. */
export function titleOfText(text: string): string {
  const line = /\S.*/.exec(text)?.[0] ?? ''
  const letters = [
    ...line
      .slice(0, 4 * TITLE_LETTERS)
      .replace(MARKS, '')
      .trim(),
  ]
  return letters.length > TITLE_LETTERS
    ? `${letters.slice(0, TITLE_LETTERS - 1).join('')}…`
    : letters.join('')
}
