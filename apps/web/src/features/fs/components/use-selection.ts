import { useMemo, useState } from 'react'
import type { Entry } from '../models/entries.ts'
import type { Selection } from '../models/selection.ts'
import { NO_SELECTION, prune } from '../models/selection.ts'

export type SelectionUpdate = (selection: Selection, order: readonly string[]) => Selection

export interface SelectionState {
  readonly selection: Selection
  readonly order: readonly string[]
  /** In the order shown. */
  readonly marked: readonly Entry[]
  readonly select: (update: SelectionUpdate) => void
}

/** Marks on the entries that are shown; what is filtered out or gone loses its mark. */
export function useSelection(entries: readonly Entry[], initialActive: string | null): SelectionState {
  const [state, setState] = useState<Selection>({ ...NO_SELECTION, active: initialActive })
  const order = useMemo(() => entries.map(({ path }) => path), [entries])
  const shown = useMemo(() => new Set(order), [order])
  const selection = useMemo(() => prune(state, shown), [state, shown])
  // They do not come back by themselves with what hid them.
  if (selection.marked.size !== state.marked.size) setState({ ...state, marked: selection.marked })
  const marked = useMemo(
    () => (selection.marked.size === 0 ? [] : entries.filter(({ path }) => selection.marked.has(path))),
    [entries, selection.marked],
  )
  const select = (update: SelectionUpdate) => setState((before) => update(prune(before, shown), order))
  return { selection, order, marked, select }
}
