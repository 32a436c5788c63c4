export interface RestoredMark {
  /** Time of the backup in wire format. */
  readonly savedAt: string
  readonly restoredAtMs: number
}

/** Running work in buckets that is not resumed. */
export interface Forgotten {
  readonly tasks: number
  readonly uploads: number
  readonly removals: number
}
