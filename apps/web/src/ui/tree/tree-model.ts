/** What is seen of a tree, from top to bottom. */
export interface TreeRow {
  readonly id: string
  readonly name: string
  /** From 1. */
  readonly level: number
  readonly isOpen: boolean
  /** Whether it is known that nothing is in it. */
  readonly isLeaf: boolean
  /** Whether what is in it is on its way. */
  readonly isBusy: boolean
  /** From 1, among those in the same folder. */
  readonly position: number
  readonly siblingCount: number
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly id: string }
  | { readonly kind: 'open' | 'close'; readonly id: string }

/** What a key does, as trees of desktops do it; `null` where there is nothing to do. */
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

/** The next row whose name begins with what is typed. One letter again and again goes through all that begin with it. */
export function findByTyping(rows: readonly TreeRow[], activeId: string, typed: string): string | null {
  const letters = [...typed.toLocaleLowerCase()]
  const isOneLetter = letters.every((letter) => letter === letters[0])
  const wanted = isOneLetter ? (letters[0] ?? '') : letters.join('')
  const index = rows.findIndex(({ id }) => id === activeId)
  // While a word is typed, the row may stay where it is.
  const start = Math.max(0, isOneLetter ? index + 1 : index)
  const round = [...rows.slice(start), ...rows.slice(0, start)]
  return round.find(({ name }) => name.toLocaleLowerCase().startsWith(wanted))?.id ?? null
}
