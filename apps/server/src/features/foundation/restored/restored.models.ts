export interface RestoredMark {
  /** The moment of the backup, as an instant of the wire. */
  readonly savedAt: string
  readonly restoredAtMs: number
}

/** What was under way in buckets and is not gone on with. */
export interface Forgotten {
  readonly tasks: number
  readonly uploads: number
  readonly removals: number
}
