/** Previews of one share that have not been written to the database. */
export interface Previews {
  readonly count: number
  readonly nowMs: number
  /** Name of the last program whose name is known. */
  readonly name: string | null
}

const NONE: Previews = { count: 0, nowMs: 0, name: null }

/** Collects previews to write. Previews of a share that arrive during a write are written together afterwards. */
export class PreviewNotes {
  readonly #waiting = new Map<string, Previews>()

  /** @returns whether the caller must call {@link write}; `false` if a write of the share is already running */
  add(shareId: string, { nowMs, name }: Omit<Previews, 'count'>): boolean {
    const before = this.#waiting.get(shareId)
    const count = (before?.count ?? 0) + 1
    this.#waiting.set(shareId, { count, nowMs, name: name ?? before?.name ?? null })
    return before === undefined
  }

  /** Writes until no previews of the share are left. */
  async write(shareId: string, write: (previews: Previews) => Promise<unknown>): Promise<void> {
    try {
      for (let next = this.#take(shareId); next.count > 0; next = this.#take(shareId)) await write(next)
    } finally {
      this.#waiting.delete(shareId)
    }
  }

  #take(shareId: string): Previews {
    const taken = this.#waiting.get(shareId) ?? NONE
    this.#waiting.set(shareId, NONE)
    return taken
  }
}
