/** Geometry of the rubber band, in pixels from the top left corner of the list of entries. */

export interface Place {
  readonly start: number
  readonly end: number
  readonly lane: number
}

export interface Geometry {
  readonly width: number
  readonly columns: number
  readonly gapPx: number
  /** Position of each entry, in order. */
  readonly places: readonly Place[]
}

export interface Corner {
  readonly x: number
  readonly y: number
}

export const boxOf = (a: Corner, b: Corner) => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

/** Returns the entry above or below in the same lane; `null` at the end of the lane. */
export function stepInLane(places: readonly Place[], index: number, step: 1 | -1): number | null {
  const from = places[index]
  if (!from) return null
  const { lane } = from
  for (let at = index + step; at >= 0 && at < places.length; at += step)
    if (places[at]?.lane === lane) return at
  return null
}

/** Returns the indices of the entries that the band touches. */
export function touchedBy(geometry: Geometry, a: Corner, b: Corner): number[] {
  const { left, top, width, height } = boxOf(a, b)
  const laneWidth = (geometry.width - (geometry.columns - 1) * geometry.gapPx) / geometry.columns
  return geometry.places.flatMap(({ start, end, lane }, index) => {
    const laneLeft = lane * (laneWidth + geometry.gapPx)
    const isBeside = laneLeft > left + width || laneLeft + laneWidth < left
    return isBeside || start > top + height || end < top ? [] : [index]
  })
}
