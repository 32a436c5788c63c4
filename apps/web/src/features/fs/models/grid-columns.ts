/** Column widths. */

interface Columns {
  readonly widthPx: number
  /** Minimum width of a column. */
  readonly wishPx: number
  readonly gapPx: number
  readonly min: number
}

/** As many columns as fit, each at least as wide as requested. */
export const columnsFor = ({ widthPx, wishPx, gapPx, min }: Columns): number =>
  Math.max(min, Math.floor((widthPx + gapPx) / (wishPx + gapPx)))

interface Lanes {
  readonly widthPx: number
  readonly columns: number
  readonly gapPx: number
}

export const laneWidthPx = ({ widthPx, columns, gapPx }: Lanes): number =>
  Math.max(0, (widthPx - (columns - 1) * gapPx) / columns)
