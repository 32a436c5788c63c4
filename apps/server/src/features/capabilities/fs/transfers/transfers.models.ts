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
  /** Tag of the version of a file that is meant: another one fails with `fs.changed`. */
  readonly ifMatch?: string | undefined
}

/** What a request of the network drive shows of locks. */
export interface ShownLocks {
  readonly tokens: readonly string[]
}

export interface TransferRequest {
  readonly items: readonly TransferItem[]
  readonly conflict: Conflict
  /** Whether the folders that the items go into must be there; else they are made. */
  readonly intoFolder?: boolean | undefined
  /** Locks of the network drive to respect once the leases on the keys are held. */
  readonly locks?: ShownLocks | undefined
}

export interface TransferredItem {
  readonly source: string
  /** Where it went, which a free name may have changed. */
  readonly target: string
  readonly state: 'completed' | 'skipped' | 'failed' | 'partially_complete'
  readonly code: string | null
  /** Figures that its message names. */
  readonly params?: ErrorParams
  /** A folder came to be that is not counted as an object, for it has no marker. */
  readonly hasMadeFolder?: boolean
  /** It took the place of something. */
  readonly hasReplaced?: boolean
}

/** What a transfer keeps of itself while it runs. */
export interface TransferCheckpoint {
  /** The items before it are over. */
  readonly index: number
  /** Where the item at `index` goes, once that is decided. */
  readonly target: string | null
  /** Of the source's listing: what comes before is over. */
  readonly cursor: string | null
  readonly items: readonly TransferredItem[]
}

export const stateOf = (before: TaskProgress, after: TaskProgress): TransferredItem['state'] => {
  const done = after.doneItems - before.doneItems
  const failed = after.failedItems - before.failedItems
  if (failed > 0) return done > 0 ? 'partially_complete' : 'failed'
  return done === 0 && after.skippedItems > before.skippedItems ? 'skipped' : 'completed'
}
