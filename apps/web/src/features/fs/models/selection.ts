/** The selected entries and the active entry, as paths. */
export interface Selection {
  readonly marked: ReadonlySet<string>
  /** Path of the entry at which a range starts. */
  readonly anchor: string | null
  /** Path of the active entry. */
  readonly active: string | null
}

export interface Modifiers {
  readonly isRange: boolean
  readonly isToggle: boolean
}

export const NO_SELECTION: Selection = { marked: new Set(), anchor: null, active: null }

function range(order: readonly string[], from: string | null, to: string): string[] {
  const end = order.indexOf(to)
  const start = from === null ? end : order.indexOf(from)
  if (start === -1) return [to]
  return order.slice(Math.min(start, end), Math.max(start, end) + 1)
}

function toggled(marked: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(marked)
  if (!next.delete(path)) next.add(path)
  return next
}

/**
 * Handles a click or tap on an entry. A plain click selects only this entry, a click with Ctrl toggles it, and a click
 * with Shift selects a range from the anchor. With both keys, the range is added to the selection.
 */
export function pointAt(
  selection: Selection,
  order: readonly string[],
  { path, isRange, isToggle }: Modifiers & { path: string },
): Selection {
  if (isRange) {
    const marked = new Set(range(order, selection.anchor ?? selection.active, path))
    if (isToggle) for (const other of selection.marked) marked.add(other)
    return { marked, anchor: selection.anchor ?? selection.active ?? path, active: path }
  }
  const marked = isToggle ? toggled(selection.marked, path) : new Set([path])
  return { marked, anchor: path, active: path }
}

/** Moves the active entry. With Shift, selects a range. */
export function moveTo(
  selection: Selection,
  order: readonly string[],
  { path, isRange }: { path: string; isRange: boolean },
): Selection {
  if (isRange) return pointAt(selection, order, { path, isRange, isToggle: false })
  return { ...selection, active: path, anchor: path }
}

export const toggle = (selection: Selection, path: string): Selection =>
  pointAt(selection, [], { path, isRange: false, isToggle: true })

export const markAll = (selection: Selection, order: readonly string[]): Selection => ({
  ...selection,
  marked: new Set(order),
})

export const unmarkAll = (selection: Selection): Selection => ({
  ...selection,
  marked: new Set(),
  anchor: null,
})

/** Selects the entries that the rubber band touches, in addition to `kept`, the previous selection. */
export const markBand = (
  selection: Selection,
  { touched, kept }: { touched: readonly string[]; kept: ReadonlySet<string> },
): Selection => ({
  ...selection,
  marked: new Set([...kept, ...touched]),
  anchor: touched[0] ?? selection.anchor,
})

/** Removes hidden entries from the selection. Returns the same object if nothing changes. */
export function prune(selection: Selection, shown: { has: (path: string) => boolean }): Selection {
  const { anchor } = selection
  const marked = [...selection.marked].filter((path) => shown.has(path))
  const isAnchorGone = anchor !== null && !shown.has(anchor)
  if (marked.length === selection.marked.size && !isAnchorGone) return selection
  return { ...selection, marked: new Set(marked), anchor: isAnchorGone ? null : anchor }
}

/**
 * Returns the active entry after entries were removed: the entry now at the same position, or else the last entry
 * before it.
 * @param before the last order that contained `active`
 */
export function activeAmong(
  active: string | null,
  before: readonly string[],
  shown: { has: (path: string) => boolean },
): string | null {
  if (active === null || shown.has(active)) return active
  const place = before.indexOf(active)
  if (place === -1) return null
  const after = before.slice(place).find((path) => shown.has(path))
  return after ?? before.slice(0, place).findLast((path) => shown.has(path)) ?? null
}

export interface Step {
  readonly key: string
  readonly index: number
  readonly count: number
  readonly columns: number
  /** Number of entries on one screen page. */
  readonly pageSize: number
}

/** Returns the index that a key moves to, or `null`. An `index` of -1 means that no entry is active. */
export function stepTo({ key, index, count, columns, pageSize }: Step): number | null {
  if (count === 0) return null
  const last = count - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  const distance = distanceOf(key, { columns, pageSize })
  if (distance === null) return null
  if (index === -1) return distance > 0 ? 0 : last
  const target = index + distance
  const isPage = key.startsWith('Page')
  if (target >= 0 && target <= last) return target
  if (isPage || columns === 1) return Math.min(Math.max(target, 0), last)
  // Arrow Down leads to the last entry if the last row is too short.
  const isRowBelow = Math.floor(last / columns) > Math.floor(index / columns)
  return key === 'ArrowDown' && isRowBelow ? last : index
}

function distanceOf(
  key: string,
  { columns, pageSize }: { columns: number; pageSize: number },
): number | null {
  switch (key) {
    case 'ArrowDown':
      return columns
    case 'ArrowUp':
      return -columns
    case 'ArrowRight':
      return columns > 1 ? 1 : null
    case 'ArrowLeft':
      return columns > 1 ? -1 : null
    case 'PageDown':
      return pageSize
    case 'PageUp':
      return -pageSize
    default:
      return null
  }
}
