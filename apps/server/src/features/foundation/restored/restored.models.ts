export interface RestoredMark {
  /** Time of the backup, in the format of the API. */
  readonly savedAt: string
  readonly restoredAtMs: number
}

/**
 * Numbers of the tasks that are cancelled after a restore, and of the uploads and planned removals in buckets that are
 * discarded.
 */
export interface Forgotten {
  readonly tasks: number
  readonly uploads: number
  readonly removals: number
}
