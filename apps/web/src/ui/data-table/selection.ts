import { useState } from 'react'

/** The selection of a table: rows of any page, or all rows that match the filter. */
export type Selected =
  | { readonly kind: 'rows'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'matching' }

export interface Selection {
  readonly selected: Selected
  readonly has: (id: string) => boolean
  /**
   * Toggles a row.
   * @param page the visible rows; if everything was selected, the other visible rows stay selected
   */
  readonly toggle: (id: string, page: readonly string[]) => void
  readonly setRows: (ids: readonly string[], isChosen: boolean) => void
  readonly chooseMatching: () => void
  readonly clear: () => void
}

const NOTHING: Selected = { kind: 'rows', ids: new Set() }

/** Implements {@link Selection.toggle}. */
export function toggled(selected: Selected, id: string, page: readonly string[]): Selected {
  const ids = new Set(selected.kind === 'rows' ? selected.ids : page)
  if (!ids.delete(id)) ids.add(id)
  return { kind: 'rows', ids }
}

/** @param matching identifies the filter; a new filter clears the selection */
export function useSelection(matching: string): Selection {
  const [state, setState] = useState({ matching, selected: NOTHING })
  if (state.matching !== matching) setState({ matching, selected: NOTHING })
  const selected = state.matching === matching ? state.selected : NOTHING
  const choose = (next: Selected) => setState({ matching, selected: next })
  const change = (edit: (ids: Set<string>) => void) => {
    const ids = new Set(selected.kind === 'rows' ? selected.ids : [])
    edit(ids)
    choose({ kind: 'rows', ids })
  }
  return {
    selected,
    has: (id) => selected.kind === 'matching' || selected.ids.has(id),
    toggle: (id, page) => choose(toggled(selected, id, page)),
    setRows: (rows, isChosen) =>
      change((ids) => {
        for (const id of rows) {
          if (isChosen) ids.add(id)
          else ids.delete(id)
        }
      }),
    chooseMatching: () => choose({ kind: 'matching' }),
    clear: () => choose(NOTHING),
  }
}
