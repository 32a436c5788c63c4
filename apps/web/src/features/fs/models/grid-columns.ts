interface Columns {
  readonly widthPx: number
  /** Minimum width of a column. */
  readonly minWidthPx: number
  readonly gapPx: number
  readonly min: number
}

/** Returns how many columns of at least `minWidthPx` fit, but never fewer than `min`. */
export const columnsFor = ({ widthPx, minWidthPx, gapPx, min }: Columns): number =>
  Math.max(min, Math.floor((widthPx + gapPx) / (minWidthPx + gapPx)))

interface Lanes {
  readonly widthPx: number
  readonly columns: number
  readonly gapPx: number
}

export const laneWidthPx = ({ widthPx, columns, gapPx }: Lanes): number =>
  Math.max(0, (widthPx - (columns - 1) * gapPx) / columns)
