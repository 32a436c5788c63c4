import { SORT_ORDER_LIMIT } from '@dropleaf/contract'

/** Step between new sort numbers, which leaves gaps for later moves. */
const STEP = 10

export interface Ordered {
  readonly id: string
  readonly sort_order: number
}
export type OrderChange = Ordered

/** Returns the list with one entry moved. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const entry = list[from]
  if (entry === undefined) return [...list]
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, entry)
}

/** Returns an integer that sorts strictly between two neighbours, or `null` if there is none. */
function numberBetween(before: Ordered | undefined, after: Ordered | undefined): number | null {
  const low = before ? before.sort_order + 1 : -SORT_ORDER_LIMIT
  const high = after ? after.sort_order - 1 : SORT_ORDER_LIMIT
  if (low > high) return null
  if (before && after) return Math.floor((low + high) / 2)
  const preferred = before ? before.sort_order + STEP : after ? after.sort_order - STEP : 0
  return Math.min(high, Math.max(low, preferred))
}

/**
 * Returns the changes that move the entry at `from` to `to`: a new number for this entry, or new numbers for the whole
 * list if no number is free between its neighbours.
 * @param list sorted by `sort_order`; equal numbers sort by name
 */
export function planMove(list: readonly Ordered[], from: number, to: number): OrderChange[] {
  const after = moved(list, from, to)
  const entry = after[to]
  if (from === to || entry === undefined) return []
  const number = numberBetween(after[to - 1], after[to + 1])
  if (number !== null) return [{ id: entry.id, sort_order: number }]
  return after
    .map(({ id, sort_order }, index) => ({ id, sort_order: (index + 1) * STEP, before: sort_order }))
    .filter(({ sort_order, before }) => sort_order !== before)
    .map(({ id, sort_order }) => ({ id, sort_order }))
}

/** Returns the list with the changes applied, sorted. */
export function withOrder<T extends Ordered>(list: readonly T[], changes: readonly OrderChange[]): T[] {
  const numbers = new Map(changes.map(({ id, sort_order }) => [id, sort_order]))
  return list
    .map((entry) => ({ ...entry, sort_order: numbers.get(entry.id) ?? entry.sort_order }))
    .toSorted((a, b) => a.sort_order - b.sort_order)
}

/**
 * Returns the new index of a dragged row.
 * @param middles vertical centres of all rows before the drag
 * @param at vertical centre of the dragged row
 */
export function dropIndex(middles: readonly number[], from: number, at: number): number {
  const above = middles.filter((middle, index) => index !== from && middle < at)
  return above.length
}
