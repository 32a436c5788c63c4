import type { ErrorParams } from '../../../../lib/app-error.ts'
import type { TaskProgress } from '../../../../jobs/tasks.models.ts'

/**
 * What happens when something is at a target: `fail`; `rename` takes a free name beside it; `skip` leaves it; `overwrite`
 * replaces it. Of folders, `skip` and `overwrite` go into the one that is there and decide file by file; `replace` has whatever
 * is there go, when nothing speaks against the rest of the work any more. `continue` is for going on with what broke off:
 * what is there and equal counts as done.
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
  /** Locks of the network drive are held against the change when the names are its own. */
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
