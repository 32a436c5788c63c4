import type { BackupGap, BackupImport, BackupKind, BackupSkipReason } from '@dropleaf/contract'
import { noCounts } from './backup.models.ts'

const BATCH_ROWS = 100
const BATCH_CHARACTERS = 4 * 1024 * 1024

/** Counts the results of all rows, and lists skipped items and gaps up to a limit. */
export class IntakeReport {
  readonly result: BackupImport
  readonly #namedMax: number

  constructor(createdAt: string, namedMax: number) {
    this.#namedMax = namedMax
    this.result = {
      created_at: createdAt,
      imported: noCounts(),
      skippedCounts: noCounts(),
      skipped: [],
      gapCounts: noCounts(),
      gaps: [],
    }
  }

  imported(kind: BackupKind, count = 1): void {
    this.result.imported[kind] += count
  }

  skip(kind: BackupKind, name: string, reason: BackupSkipReason): void {
    this.result.skippedCounts[kind] += 1
    if (this.result.skipped.length < this.#namedMax) this.result.skipped.push({ kind, name, reason })
  }

  gap(kind: BackupKind, name: string, gap: BackupGap): void {
    this.result.gapCounts[kind] += 1
    if (this.result.gaps.length < this.#namedMax) this.result.gaps.push({ kind, name, gap })
  }
}

/** An inserted bundle, whose revisions and objects come later. */
export interface NewBundle {
  readonly slug: string
  readonly remark: string | null
  readonly revision: number
  readonly isPurged: boolean
  hasCurrent: boolean
}

/** Collects rows of shares for the next batch insert. */
export class RowBatch<Row> {
  #rows: Row[] = []
  #characters = 0

  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS
  }

  add(row: Row, size: number): void {
    this.#rows.push(row)
    this.#characters += size
  }

  take(): Row[] {
    const taken = this.#rows
    this.#rows = []
    this.#characters = 0
    return taken
  }
}
