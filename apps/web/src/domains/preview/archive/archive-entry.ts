/** What an archive says of one of its files or folders. */
export interface ArchiveEntry {
  /** With `/` between its parts, and none at its end. */
  readonly path: string
  readonly isFolder: boolean
  readonly sizeBytes: number
  /** `null` where nobody says. */
  readonly modifiedAtMs: number | null
  readonly isEncrypted: boolean
}

export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[]
  /** Whether these are all: very long archives are not read to their end. */
  readonly isComplete: boolean
  /** Reads on from where it stopped, and gives what there is then; missing where it must not. */
  readonly readOn?: (signal: AbortSignal) => Promise<ArchiveListing>
}
