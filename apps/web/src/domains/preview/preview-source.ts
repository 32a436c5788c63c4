/** Describes where the bytes of a file can be loaded. */
export interface PreviewSource {
  readonly name: string
  readonly sizeBytes: number
  /** Media type from the server; can be empty. */
  readonly mimetype?: string
  /** URL for the browser's own viewers. */
  readonly url: string
  /** URL for scripts. It leads through the server, because a storage might not allow CORS. */
  readonly textUrl: string
  /** Headers for `textUrl`, if it requires a credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** URL that saves the file. */
  readonly downloadUrl?: string
  /** Folder of the file, if it can be read. */
  readonly folder?: PreviewFolder
  /** Requests a public URL for an online service. Called when the user selects one. */
  readonly findPublicUrl?: () => Promise<string>
}

/** The folder that contains the file. */
export interface PreviewFolder {
  readonly names: readonly string[]
  /** Finds a file below the folder by its path in a playlist. Returns `null` for paths outside the folder. */
  readonly find: (path: string) => Pick<PreviewSource, 'textUrl' | 'headers'> | null
}
