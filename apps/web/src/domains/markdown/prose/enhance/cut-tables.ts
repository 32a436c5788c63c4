const FRAME = '.dl-cut-table'

/** Returns all parts of the table that contains `frame`. The parts of a table are adjacent. */
function partsAround(frame: HTMLElement, root: HTMLElement): readonly HTMLElement[] {
  const all = [...root.querySelectorAll<HTMLElement>(FRAME)]
  const at = all.indexOf(frame)
  const isFirst = (part: HTMLElement | undefined) => !part?.classList.contains('went-on')
  let start = at
  while (start > 0 && !isFirst(all[start])) start -= 1
  let end = at + 1
  while (end < all.length && !isFirst(all[end])) end += 1
  return all.slice(start, end)
}

/** Whether a part is already laid out. */
const isLaidOut = (part: HTMLElement) => part.checkVisibility({ contentVisibilityAuto: true })

/** Scrolls all parts of a long table together horizontally, including parts that are laid out later. */
export function moveCutTables(root: HTMLElement, signal: AbortSignal): void {
  const movedBy = new WeakMap<HTMLElement, number>()
  const follow = (part: HTMLElement, left: number) => {
    if (Math.abs(part.scrollLeft - left) >= 1) part.scrollLeft = left
  }
  const onScroll = ({ target }: Event) => {
    if (!(target instanceof HTMLElement) || !target.matches(FRAME)) return
    const parts = partsAround(target, root)
    const [first] = parts
    if (!first || movedBy.get(first) === target.scrollLeft) return
    movedBy.set(first, target.scrollLeft)
    for (const part of parts) if (part !== target && isLaidOut(part)) follow(part, target.scrollLeft)
  }
  const onShown = ({ target }: Event) => {
    if (!(target instanceof HTMLElement)) return
    for (const part of target.querySelectorAll<HTMLElement>(FRAME)) {
      if (!isLaidOut(part)) continue
      const [first] = partsAround(part, root)
      const left = first && movedBy.get(first)
      if (left !== undefined) follow(part, left)
    }
  }
  // Uses capture, because the scroll events of an element do not bubble.
  root.addEventListener('scroll', onScroll, { capture: true, passive: true, signal })
  root.addEventListener('contentvisibilityautostatechange', onShown, { capture: true, signal })
}
