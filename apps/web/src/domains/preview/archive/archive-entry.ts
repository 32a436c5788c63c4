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
  /** Whether the list is complete. Very long archives are not read to the end. */
  readonly isComplete: boolean
  /** Continues the listing and returns the longer one. Absent if the listing cannot continue. */
  readonly readOn?: (signal: AbortSignal) => Promise<ArchiveListing>
}
