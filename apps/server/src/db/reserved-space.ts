import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Enough for a few hundred logins and deletions; deletions free more. */
const SPARE_BYTES = 2 * 1024 ** 2
/** Space is reserved only if this multiple of it is free. */
const AMPLE = 8
const LOOK_EVERY_MS = 60_000
const FILE_MODE = 0o600

/**
 * Reserves disk space for when other programs fill the disk: SQLite needs some even to delete a row, and nobody could log in to
 * free space.
 */
export class ReservedSpace {
  readonly #file: string
  #timer: NodeJS.Timeout | null = null

  constructor(file: string) {
    this.#file = file
    this.#reserve()
  }

  /** @returns whether there was a reserve, so that a write that failed on the full disk may be retried */
  release(): boolean {
    if (!this.#isKept()) return false
    rmSync(this.#file, { force: true })
    this.#timer ??= setInterval(() => this.#reserve(), LOOK_EVERY_MS).unref()
    return true
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer)
  }

  #isKept(): boolean {
    return (statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) > 0
  }

  /** Fails silently: the reserve is optional. */
  #reserve(): void {
    try {
      if (this.#isKept()) return
      const { bavail, bsize } = statfsSync(dirname(this.#file))
      if (bavail * bsize < SPARE_BYTES * AMPLE) return
      // Random bytes, because some file systems compress.
      writeFileSync(this.#file, randomBytes(SPARE_BYTES), { mode: FILE_MODE })
      this.end()
      this.#timer = null
    } catch {
      rmSync(this.#file, { force: true })
    }
  }
}
