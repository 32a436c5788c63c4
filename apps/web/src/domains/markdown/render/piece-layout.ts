const GROUP_PIECES = 48
const USUAL_GROUP_PIECES = 24
/**
 * Maximum number of previous pieces that a match can skip. Skipped pieces are removed. A match farther away counts as
 * a moved piece.
 */
const LOOK_AHEAD = 24

/** Maximum number of characters of a long piece that the hash samples. */
const SUMMED_CHARACTERS = 4096

/** Whether a group ends after this piece. Depends only on the content, so that a change shifts few other groups. */
function endsGroup(html: string): boolean {
  const step = Math.ceil(html.length / SUMMED_CHARACTERS) || 1
  let sum = 0
  for (let index = 0; index < html.length; index += step)
    sum = (Math.imul(sum, 31) + html.charCodeAt(index)) | 0
  // Does not use the low bits of the hash, because they repeat in repetitive texts.
  return (sum >>> 8) % USUAL_GROUP_PIECES === 0
}

const sources = new WeakMap<Element, string>()

/**
 * Arranges the pieces of a text in groups inside `root`, and keeps the elements of unchanged pieces.
 * `content-visibility` is set on groups instead of pieces, because each element with this property costs time in
 * every frame.
 */
export class PieceLayout {
  readonly #root: HTMLElement
  readonly #make: (html: string) => HTMLElement
  /**
   * Previous pieces in order (`#earlier`), their indexes (`#places`), and the pieces that can be reused, by content
   * (`#waiting`).
   */
  readonly #earlier: readonly HTMLElement[]
  readonly #places = new Map<Element, number>()
  readonly #waiting = new Map<string, HTMLElement[]>()
  /** All previous pieces before this index are reused or removed. */
  #place = 0
  readonly #used = new Set<Element>()
  #group: HTMLElement | null = null
  #piece: HTMLElement | null = null
  #count = 0
  #isFull = true

  constructor(root: HTMLElement, make: (html: string) => HTMLElement) {
    this.#root = root
    this.#make = make
    this.#earlier = [...root.children].flatMap((group) => [...group.children] as HTMLElement[])
    for (const [place, piece] of this.#earlier.entries()) {
      const html = sources.get(piece) ?? ''
      this.#places.set(piece, place)
      const same = this.#waiting.get(html)
      if (same) same.push(piece)
      else this.#waiting.set(html, [piece])
    }
  }

  /** Adds the next piece of the text, reused or new. */
  add(html: string): { readonly piece: HTMLElement; readonly isNew: boolean } {
    const kept = this.#takeOver(html)
    const piece = kept ?? this.#make(html)
    sources.set(piece, html)
    if (this.#isFull) this.#beginGroup(kept)
    const group = this.#group!
    const next = this.#piece ? this.#piece.nextSibling : group.firstChild
    if (next !== piece) {
      const left = piece.parentElement
      group.insertBefore(piece, next)
      this.#removeIfEmpty(left)
    }
    this.#used.add(piece)
    this.#piece = piece
    this.#count += 1
    this.#isFull = this.#count >= GROUP_PIECES || endsGroup(html)
    group.style.setProperty('--dl-pieces', String(group.childElementCount))
    return { piece, isNew: kept === undefined }
  }

  /** Removes the previous pieces that were not reused. */
  end(): void {
    for (const piece of this.#earlier) this.#remove(piece)
  }

  #takeOver(html: string): HTMLElement | undefined {
    const kept = this.#waiting.get(html)?.shift()
    if (!kept) return undefined
    const place = this.#places.get(kept) ?? 0
    if (place < this.#place || place - this.#place > LOOK_AHEAD) return kept
    for (const gone of this.#earlier.slice(this.#place, place)) this.#remove(gone)
    this.#place = place + 1
    return kept
  }

  /**
   * Removes a previous piece from the page unless the piece is in use. A removed piece can still be reused farther
   * down.
   */
  #remove(piece: HTMLElement): void {
    if (this.#used.has(piece)) return
    const group = piece.parentElement
    piece.remove()
    this.#removeIfEmpty(group)
  }

  #removeIfEmpty(group: HTMLElement | null): void {
    if (group !== this.#group && group?.childElementCount === 0) group.remove()
  }

  /**
   * Starts a group. Uses the group of the reused piece, or of the previous piece at this index. If that group is not
   * free, creates a new group.
   */
  #beginGroup(kept: HTMLElement | undefined): void {
    const found = (kept ?? this.#earlier[this.#place])?.parentElement
    const isFree = found?.parentElement === this.#root && !this.#used.has(found)
    const before = this.#group
    this.#group = isFree ? found : document.createElement('div')
    this.#group.className = 'dl-group'
    const next = before ? before.nextSibling : this.#root.firstChild
    if (next !== this.#group) this.#root.insertBefore(this.#group, next)
    this.#used.add(this.#group)
    this.#piece = null
    this.#count = 0
  }
}
