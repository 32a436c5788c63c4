import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** For some hundred log-ins and removals: what has been removed makes room for more. */
const SPARE_BYTES = 2 * 1024 ** 2
/** It is taken only where there is a multiple of it. */
const AMPLE = 8
const LOOK_EVERY_MS = 60_000
const FILE_MODE = 0o600

/**
 * Room on the disk that is kept for the day on which others have filled it: SQLite needs some even to delete a row, and nobody
 * could log in to make room.
 */
export class ReservedSpace {
  readonly #file: string
  #timer: NodeJS.Timeout | null = null

  constructor(file: string) {
    this.#file = file
    this.#keep()
  }

  /** @returns whether there was any reserve: a write that failed on the full disk may be retried. */
  release(): boolean {
    if (!this.#isKept()) return false
    rmSync(this.#file, { force: true })
    this.#timer ??= setInterval(() => this.#keep(), LOOK_EVERY_MS).unref()
    return true
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  #isKept(): boolean {
    return (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > 0
  }

  /** Where that fails, a full disk is what it was before. */
  #keep(): void {
    try {
      if (this.#isKept()) return
      const { bavail, bsize } = statfsSync(dirname(this.#file))
      if (bavail * bsize < SPARE_BYTES * AMPLE) return
      // Some file systems would keep nothing for what can be compressed.
      writeFileSync(this.#file, randomBytes(SPARE_BYTES), { mode: FILE_MODE })
      this.end()
      this.#timer = null
    } catch {
      rmSync(this.#file, { force: true })
    }
  }
}
