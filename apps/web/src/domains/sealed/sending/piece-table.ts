import type { Piece, PlacedPiece } from './pieces.ts'

export const isPlaced = (piece: Piece): piece is PlacedPiece => piece.object !== null

/** The pieces of a bundle by id, with an index by object. */
export class PieceTable {
  readonly #pieces = new Map<number, Piece>()
  readonly #byObject = new Map<number, Map<number, PlacedPiece>>()
  #nextId = 0

  newId(): number {
    this.#nextId += 1
    return this.#nextId - 1
  }

  get(id: number): Piece | undefined {
    return this.#pieces.get(id)
  }

  /** Adds a piece, or replaces the piece with the same id. */
  put(piece: Piece): void {
    this.#removeFromIndex(piece.id)
    this.#pieces.set(piece.id, piece)
    this.#nextId = Math.max(this.#nextId, piece.id + 1)
    if (!isPlaced(piece)) return
    const others = this.#byObject.get(piece.object)
    if (others) others.set(piece.id, piece)
    else this.#byObject.set(piece.object, new Map([[piece.id, piece]]))
  }

  remove(id: number): void {
    this.#removeFromIndex(id)
    this.#pieces.delete(id)
  }

  #removeFromIndex(id: number): void {
    const object = this.#pieces.get(id)?.object ?? null
    if (object === null) return
    const others = this.#byObject.get(object)
    others?.delete(id)
    if (others?.size === 0) this.#byObject.delete(object)
  }

  /** Returns the pieces in the order in which they were added. */
  all(): Piece[] {
    return [...this.#pieces.values()]
  }

  /** Returns the pieces that are assigned to an object. */
  placed(): PlacedPiece[] {
    return this.all().filter(isPlaced)
  }

  /** Returns the pieces of an object, in the order of their bytes. */
  of(object: number): PlacedPiece[] {
    return [...(this.#byObject.get(object)?.values() ?? [])].sort((a, b) => a.offset - b.offset)
  }

  /** Whether a piece is not assigned to an object. */
  get hasUnplaced(): boolean {
    for (const piece of this.#pieces.values()) if (!isPlaced(piece)) return true
    return false
  }
}
