export interface Piece {
  /** Offset of the piece in the name. */
  readonly from: number
  readonly text: string
  readonly isMatch: boolean
}

/** Folds characters one by one, so that offsets do not change. */
const fold = (text: string): string =>
  [...text]
    .map((letter) => {
      const lower = letter.normalize('NFKC').toLowerCase()
      return lower.length === letter.length ? lower : letter
    })
    .join('')

/** Splits a name at the matches, ignoring case. */
export function splitMatches(name: string, query: string): Piece[] {
  const wanted = fold(query.trim())
  if (wanted === '') return [{ from: 0, text: name, isMatch: false }]
  const folded = fold(name)
  const pieces: Piece[] = []
  let from = 0
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, from)) {
    if (at > from) pieces.push({ from, text: name.slice(from, at), isMatch: false })
    from = at + wanted.length
    pieces.push({ from: at, text: name.slice(at, from), isMatch: true })
  }
  if (from < name.length) pieces.push({ from, text: name.slice(from), isMatch: false })
  return pieces
}
