import { useMemo, useState } from 'react'
import type { Entry } from '../models/entries.ts'
import type { Selection } from '../models/selection.ts'
import { activeAmong, NO_SELECTION, prune } from '../models/selection.ts'

export type SelectionUpdate = (selection: Selection, order: readonly string[]) => Selection

export interface SelectionState {
  readonly selection: Selection
  readonly order: readonly string[]
  /** The selected entries, in the order of the view. */
  readonly marked: readonly Entry[]
  readonly select: (update: SelectionUpdate) => void
}

/** The selection among the visible entries. Hidden entries are deselected, and the active position stays. */
export function useSelection(entries: readonly Entry[], initialActive: string | null): SelectionState {
  const [state, setState] = useState<Selection>({ ...NO_SELECTION, active: initialActive })
  const order = useMemo(() => entries.map(({ path }) => path), [entries])
  const shown = useMemo(() => new Set(order), [order])
  // The active entry becomes active again when it reappears, for example after an undo.
  const [placed, setPlaced] = useState(order)
  const isPlaced = state.active !== null && shown.has(state.active)
  if (isPlaced && placed !== order) setPlaced(order)
  const current = useMemo(() => {
    const pruned = prune(state, shown)
    const active = activeAmong(state.active, placed, shown)
    return active === pruned.active ? pruned : { ...pruned, active }
  }, [state, placed, shown])
  // Entries that disappear are deselected, and stay deselected when they reappear.
  if (current.marked.size !== state.marked.size) setState({ ...state, marked: current.marked })
  const marked = useMemo(
    () => (current.marked.size === 0 ? [] : entries.filter(({ path }) => current.marked.has(path))),
    [entries, current.marked],
  )
  const select = (update: SelectionUpdate) =>
    setState((before) => {
      const pruned = prune(before, shown)
      return update({ ...pruned, active: activeAmong(before.active, placed, shown) }, order)
    })
  return { selection: current, order, marked, select }
}
