/** A visible row of a tree. */
export interface TreeRow {
  readonly id: string
  readonly name: string
  /** Level in the tree, starting at 1. */
  readonly level: number
  readonly isOpen: boolean
  /** Whether the row is known to have no children. */
  readonly isLeaf: boolean
  /** Whether the children of the row are loading. */
  readonly isBusy: boolean
  /** Position among the siblings, starting at 1. */
  readonly position: number
  readonly siblingCount: number
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly id: string }
  | { readonly kind: 'open' | 'close'; readonly id: string }

/** Returns the effect of a key, following the ARIA tree pattern; `null` for no effect. */
export function moveByKey(rows: readonly TreeRow[], activeId: string, key: string): TreeMove | null {
  const index = rows.findIndex(({ id }) => id === activeId)
  const row = rows[index]
  if (!row) return null
  const to = (target: TreeRow | undefined): TreeMove | null =>
    target ? { kind: 'focus', id: target.id } : null
  switch (key) {
    case 'ArrowDown':
      return to(rows[index + 1])
    case 'ArrowUp':
      return to(rows[index - 1])
    case 'Home':
      return to(rows[0])
    case 'End':
      return to(rows.at(-1))
    case 'ArrowRight': {
      if (row.isLeaf) return null
      if (!row.isOpen) return { kind: 'open', id: row.id }
      const next = rows[index + 1]
      return next && next.level > row.level ? to(next) : null
    }
    case 'ArrowLeft':
      if (row.isOpen && !row.isLeaf) return { kind: 'close', id: row.id }
      return to(rows.slice(0, index).findLast(({ level }) => level < row.level))
    default:
      return null
  }
}

/** Returns the next row whose name starts with the typed text. A repeated character cycles through all matches. */
export function findByTyping(rows: readonly TreeRow[], activeId: string, typed: string): string | null {
  const letters = [...typed.toLocaleLowerCase()]
  const isOneLetter = letters.every((letter) => letter === letters[0])
  const wanted = isOneLetter ? (letters[0] ?? '') : letters.join('')
  const index = rows.findIndex(({ id }) => id === activeId)
  // While a word is typed, the current row can still match, so the search starts at the current row.
  const start = Math.max(0, isOneLetter ? index + 1 : index)
  const round = [...rows.slice(start), ...rows.slice(0, start)]
  return round.find(({ name }) => name.toLocaleLowerCase().startsWith(wanted))?.id ?? null
}
