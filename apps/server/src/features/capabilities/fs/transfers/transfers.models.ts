import type { ErrorParams } from '../../../../lib/app-error.ts'
import type { TaskProgress } from '../../../../jobs/tasks.models.ts'

/**
 * What to do if the target exists: `fail`; `rename` uses a free name beside it; `skip` keeps it; `overwrite` replaces
 * it. With `skip` and `overwrite`, folders are merged and the choice applies to each file; `replace` removes the target
 * once nothing else prevents the work. `continue` resumes an interrupted run: an equal target counts as done.
 */
export type Conflict = 'fail' | 'rename' | 'skip' | 'overwrite' | 'replace' | 'continue'

/** Full virtual paths; a folder's source ends in a slash. */
export interface TransferItem {
  readonly source: string
  readonly target: string
  /** Etag of the expected version of a file: another one fails with `fs.changed`. */
  readonly ifMatch?: string | undefined
}

/** The locks whose tokens a WebDAV request contains. */
export interface ShownLocks {
  readonly tokens: readonly string[]
}

export interface TransferRequest {
  readonly items: readonly TransferItem[]
  readonly conflict: Conflict
  /** Whether the target folders must exist; otherwise they are created. */
  readonly intoFolder?: boolean | undefined
  /** WebDAV locks to respect once the leases are held. */
  readonly locks?: ShownLocks | undefined
}

export interface TransferredItem {
  readonly source: string
  /** Actual target, which may be a free alternative name. */
  readonly target: string
  readonly state: 'completed' | 'skipped' | 'failed' | 'partially_complete'
  readonly code: string | null
  /** Values that its message contains. */
  readonly params?: ErrorParams
  /** A folder was created that is not counted as an object, since it has no marker. */
  readonly hasMadeFolder?: boolean
  /** An existing entry was replaced. */
  readonly hasReplaced?: boolean
}

/** The checkpoint of a transfer. */
export interface TransferCheckpoint {
  /** Earlier items are finished. */
  readonly index: number
  /** Target of the item at `index`, once decided. */
  readonly target: string | null
  /** Cursor in the source's listing: earlier entries are finished. */
  readonly cursor: string | null
  readonly items: readonly TransferredItem[]
}

export const stateOf = (before: TaskProgress, after: TaskProgress): TransferredItem['state'] => {
  const done = after.doneItems - before.doneItems
  const failed = after.failedItems - before.failedItems
  if (failed > 0) return done > 0 ? 'partially_complete' : 'failed'
  return done === 0 && after.skippedItems > before.skippedItems ? 'skipped' : 'completed'
}
