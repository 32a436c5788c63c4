/** A group ends here at the latest. */
const GROUP_PIECES = 48
const USUAL_GROUP_PIECES = 24
/** So far an earlier piece is looked for: what lies before it is gone from the text. What comes from farther was moved. */
const LOOK_AHEAD = 24

/** Of a long piece so many letters are looked at, which lie all over it. */
const SUMMED_CHARACTERS = 4096

/** Where groups end depends on what stands there: a change moves few others. */
function endsGroup(html: string): boolean {
  const step = Math.ceil(html.length / SUMMED_CHARACTERS) || 1
  let sum = 0
  for (let index = 0; index < html.length; index += step)
    sum = (Math.imul(sum, 31) + html.charCodeAt(index)) | 0
  // The lower digits of such sums go the same way where texts repeat themselves.
  return (sum >>> 8) % USUAL_GROUP_PIECES === 0
}

const sources = new WeakMap<Element, string>()

/**
 * Puts the pieces of a text one after the other into `root`, by groups: what costs time in each frame, and for each piece
 * that is laid out only when it comes near the screen, costs it for a group alone. Pieces of an earlier version that are
 * still the same stay where they are.
 */
export class PieceLayout {
  readonly #root: HTMLElement
  readonly #make: (html: string) => HTMLElement
  /** Pieces of the earlier version in their order, and those that wait to be taken over, by what they were made of. */
  readonly #earlier: readonly HTMLElement[]
  readonly #places = new Map<Element, number>()
  readonly #waiting = new Map<string, HTMLElement[]>()
  /** All of the earlier pieces before this place are taken over or gone. */
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

  /** The next piece of the text, taken over or made. */
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

  /** Takes away what is left of the earlier version. */
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

  /** It may still be taken over, when it stands farther down now. */
  #remove(piece: HTMLElement): void {
    if (this.#used.has(piece)) return
    const group = piece.parentElement
    piece.remove()
    this.#removeIfEmpty(group)
  }

  #removeIfEmpty(group: HTMLElement | null): void {
    if (group !== this.#group && group?.childElementCount === 0) group.remove()
  }

  /** The group that the piece is in already, or that of the earlier piece in whose place it comes. */
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
