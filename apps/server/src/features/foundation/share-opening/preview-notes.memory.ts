/** Previews of one share that are not written yet. */
export interface Previews {
  readonly count: number
  readonly nowMs: number
  readonly name: string | null
}

const NONE: Previews = { count: 0, nowMs: 0, name: null }

/** Previews that wait to be written. Those that arrive during a write of their share become one further write. */
export class PreviewNotes {
  readonly #waiting = new Map<string, Previews>()

  /** @returns whether the caller must write, because nobody is writing those of the share. */
  add(shareId: string, { nowMs, name }: Omit<Previews, 'count'>): boolean {
    const before = this.#waiting.get(shareId)
    this.#waiting.set(shareId, { count: (before?.count ?? 0) + 1, nowMs, name })
    return before === undefined
  }

  /** Writes until none of the share is left. */
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
