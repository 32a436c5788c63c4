import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** This space is enough for a few hundred logins and deletions. Deletions free further space. */
const SPARE_BYTES = 2 * 1024 ** 2
/** Space is reserved only if this many times its size is free. */
const AMPLE = 8
const LOOK_EVERY_MS = 60_000
const FILE_MODE = 0o600

/**
 * Reserves disk space, and releases it when other programs fill the disk. SQLite needs space even to delete a row.
 * Without free space, no user could log in to delete files.
 */
export class ReservedSpace {
  readonly #file: string
  #timer: NodeJS.Timeout | null = null

  constructor(file: string) {
    this.#file = file
    this.#reserve()
  }

  /** @returns whether space was reserved; if so, a write that failed on the full disk can be retried */
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

  /** Ignores failures, because the reserve is optional. */
  #reserve(): void {
    try {
      if (this.#isKept()) return
      const { bavail, bsize } = statfsSync(dirname(this.#file))
      if (bavail * bsize < SPARE_BYTES * AMPLE) return
      // Writes random bytes, because some file systems compress files.
      writeFileSync(this.#file, randomBytes(SPARE_BYTES), { mode: FILE_MODE })
      this.end()
      this.#timer = null
    } catch {
      rmSync(this.#file, { force: true })
    }
  }
}
