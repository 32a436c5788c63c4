export interface RestoredMark {
  /** Time of the backup, in the format of the API. */
  readonly savedAt: string
  readonly restoredAtMs: number
}

/** Amount of work in buckets that is discarded after a restore. */
export interface Forgotten {
  readonly tasks: number
  readonly uploads: number
  readonly removals: number
}
