const SAMPLE_ROWS = 200
const MIN_PX = 64
const MAX_PX = 320
/** Average width of a bold character, because column names are bold. */
const CHARACTER_PX = 9
const PADDING_PX = 24
/** Maximum number of characters in a cell and in its tooltip. Longer text is truncated. */
export const CELL_MAX_CHARACTERS = 500

/** Estimates the width of a text in pixels; full-width characters count twice. */
function widthOf(text: string): number {
  let units = 0
  for (const character of text.slice(0, 60)) units += (character.codePointAt(0) ?? 0) > 0x2e_80 ? 2 : 1
  return units * CHARACTER_PX + PADDING_PX
}

export function columnCount(rows: readonly (readonly string[])[]): number {
  let most = 0
  for (let index = 0; index < rows.length; index += 1) most = Math.max(most, rows[index]?.length ?? 0)
  return most
}

/** Returns column widths in pixels at the default font size, based on the first rows. */
export function columnWidths(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const widths = Array.from({ length: columns }, () => MIN_PX)
  for (const row of rows.slice(0, SAMPLE_ROWS)) {
    for (const [column, text] of row.entries())
      widths[column] = Math.min(MAX_PX, Math.max(widths[column] ?? MIN_PX, widthOf(text)))
  }
  return widths
}

/** Returns the name of a column: `A` to `Z`, then `AA` and so on. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}
