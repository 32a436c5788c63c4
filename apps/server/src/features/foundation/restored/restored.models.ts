export interface RestoredMark {
  /** The moment of the backup, as an instant of the wire. */
  readonly savedAt: string
  readonly restoredAtMs: number
}

/** Work that was running in buckets and is not continued. */
export interface Forgotten {
  readonly tasks: number
  readonly uploads: number
  readonly removals: number
}
