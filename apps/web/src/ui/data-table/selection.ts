import { useState } from 'react'

/** What is chosen of a table: rows of any pages, or everything that matches its search. */
export type Selected =
  | { readonly kind: 'rows'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'matching' }

export interface Selection {
  readonly selected: Selected
  readonly has: (id: string) => boolean
  /**
   * Chooses a row or leaves it.
   * @param page the rows that are shown: where everything was chosen, they are what stays chosen without it.
   */
  readonly toggle: (id: string, page: readonly string[]) => void
  /** Chooses or leaves the rows of a page. */
  readonly setRows: (ids: readonly string[], isChosen: boolean) => void
  readonly chooseMatching: () => void
  readonly clear: () => void
}

const NOTHING: Selected = { kind: 'rows', ids: new Set() }

/** Of {@link Selection.toggle}. */
export function toggled(selected: Selected, id: string, page: readonly string[]): Selected {
  const ids = new Set(selected.kind === 'rows' ? selected.ids : page)
  if (!ids.delete(id)) ids.add(id)
  return { kind: 'rows', ids }
}

/** @param matching names the search; another one leaves nothing chosen. */
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
