/**
 * Where a page that is too high for one picture is cut: between two blocks, where there is such a place in the lower half
 * of a picture.
 * @param ends lower edges of blocks, in px from the top
 * @returns the lower edge of each picture, the last of which is `height`
 */
export function cutPictures(height: number, ends: readonly number[], maxHeight: number): readonly number[] {
  const cuts: number[] = []
  let top = 0
  while (height - top > maxHeight) {
    const from = top
    const best = Math.max(0, ...ends.filter((end) => end > from + maxHeight / 2 && end <= from + maxHeight))
    top = best > 0 ? Math.floor(best) : from + maxHeight
    cuts.push(top)
  }
  return [...cuts, height]
}
