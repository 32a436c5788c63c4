/** A file or folder of an archive. */
export interface ArchiveEntry {
  /** With `/` as separator, and none at the end. */
  readonly path: string
  readonly isFolder: boolean
  readonly sizeBytes: number
  /** `null` if unknown. */
  readonly modifiedAtMs: number | null
  readonly isEncrypted: boolean
}

export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[]
  /** Whether the list is complete: very long archives are not read to the end. */
  readonly isComplete: boolean
  /** Continues the listing and returns the longer one; absent where that is not possible. */
  readonly readOn?: (signal: AbortSignal) => Promise<ArchiveListing>
}
