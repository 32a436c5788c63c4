import type { ErrorParams } from '../../../../lib/app-error.ts'
import type { TaskProgress } from '../../../../jobs/tasks.models.ts'

/**
 * What to do if the target exists: `fail`; `rename` uses another name; `skip` keeps the target; `overwrite` replaces
 * it. `skip` and `overwrite` merge folders and apply to each file. `replace` replaces the target as a whole: a file
 * replaces a file atomically, and any other target is deleted once the transfer can start. `continue` resumes an
 * interrupted run; an equal target counts as done.
 */
export type Conflict = 'fail' | 'rename' | 'skip' | 'overwrite' | 'replace' | 'continue'

/** An item with full virtual paths. The source of a folder ends in a slash. */
export interface TransferItem {
  readonly source: string
  readonly target: string
  /** Expected etag of a source file. Another version fails with `fs.changed`. */
  readonly ifMatch?: string | undefined
}

/** Lock tokens in a WebDAV request. */
export interface ShownLocks {
  readonly tokens: readonly string[]
}

export interface TransferRequest {
  readonly items: readonly TransferItem[]
  readonly conflict: Conflict
  /** Whether the target folders must exist; otherwise they are created. */
  readonly intoFolder?: boolean | undefined
  /** Lock tokens of a WebDAV request. Locks are checked again once the leases are held. */
  readonly locks?: ShownLocks | undefined
}

export interface TransferredItem {
  readonly source: string
  /** Actual target. Its name can differ from the requested name. */
  readonly target: string
  readonly state: 'completed' | 'skipped' | 'failed' | 'partially_complete'
  readonly code: string | null
  /** Values for the error message. */
  readonly params?: ErrorParams
  /** Whether a folder without a marker was created. Such a folder does not count as an object. */
  readonly hasMadeFolder?: boolean
  /** Whether an existing entry was replaced. */
  readonly hasReplaced?: boolean
}

export interface TransferCheckpoint {
  /** Index of the current item. The items before it are finished. */
  readonly index: number
  /** Chosen target of the item at `index`. */
  readonly target: string | null
  /** Cursor in the listing of the source; entries before it are finished. */
  readonly cursor: string | null
  readonly items: readonly TransferredItem[]
}

export const stateOf = (before: TaskProgress, after: TaskProgress): TransferredItem['state'] => {
  const done = after.doneItems - before.doneItems
  const failed = after.failedItems - before.failedItems
  if (failed > 0) return done > 0 ? 'partially_complete' : 'failed'
  return done === 0 && after.skippedItems > before.skippedItems ? 'skipped' : 'completed'
}
