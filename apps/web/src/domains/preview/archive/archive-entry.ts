export interface ArchiveEntry {
  /** Path with `/` as separator, without a trailing slash. */
  readonly path: string
  readonly isFolder: boolean
  readonly sizeBytes: number
  readonly modifiedAtMs: number | null
  readonly isEncrypted: boolean
}

export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[]
  /** Whether the list is complete. The listing of a very long archive stops at a limit. */
  readonly isComplete: boolean
  /** Reads more entries and returns the extended listing. Absent if the listing cannot continue. */
  readonly readOn?: (signal: AbortSignal) => Promise<ArchiveListing>
}
