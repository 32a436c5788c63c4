/** The maximum length of a group. */
const GROUP_PIECES = 48
const USUAL_GROUP_PIECES = 24
/** How many earlier pieces are searched: those before a match were removed. Pieces from farther away were moved. */
const LOOK_AHEAD = 24

/** How many characters of a long piece the sum samples. */
const SUMMED_CHARACTERS = 4096

/** Group ends depend on the content: a change moves few others. */
function endsGroup(html: string): boolean {
  const step = Math.ceil(html.length / SUMMED_CHARACTERS) || 1
  let sum = 0
  for (let index = 0; index < html.length; index += step)
    sum = (Math.imul(sum, 31) + html.charCodeAt(index)) | 0
  // The low bits of such sums follow a pattern in repetitive texts.
  return (sum >>> 8) % USUAL_GROUP_PIECES === 0
}

const sources = new WeakMap<Element, string>()

/**
 * Arranges the pieces of a text in groups inside `root`: `content-visibility` costs time in every frame, so it applies
 * to groups. Unchanged pieces of the previous version stay in the page.
 */
export class PieceLayout {
  readonly #root: HTMLElement
  readonly #make: (html: string) => HTMLElement
  /** Pieces of the previous version in order, and those that can be reused, by content. */
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

  /** The next piece of the text, reused or created. */
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

  /** Removes the rest of the previous version. */
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

  /** The piece may be reused farther down. */
  #remove(piece: HTMLElement): void {
    if (this.#used.has(piece)) return
    const group = piece.parentElement
    piece.remove()
    this.#removeIfEmpty(group)
  }

  #removeIfEmpty(group: HTMLElement | null): void {
    if (group !== this.#group && group?.childElementCount === 0) group.remove()
  }

  /** The group of the reused piece, or of the previous piece at this index. */
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
