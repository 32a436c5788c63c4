/**
 * Returns where to cut a page that is too tall for one image. Prefers cuts between two blocks in the lower half of
 * each image.
 * @param ends lower edges of blocks, in px from the top
 * @returns the lower edge of each image; the last one is `height`
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
