/** Where the bytes of a file are. */
export interface PreviewSource {
  readonly name: string
  readonly sizeBytes: number
  /** From the server, or empty. */
  readonly mimetype?: string
  /** URL for the browser's own viewers. */
  readonly url: string
  /** URL for scripts: through the server, because a storage need not allow CORS. */
  readonly textUrl: string
  /** Headers of `textUrl`, if it needs a credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** Saves the file. */
  readonly downloadUrl?: string
  /** The folder of the file, if it can be read. */
  readonly folder?: PreviewFolder
  /** Requests a public URL for an online service, when the user chooses one. */
  readonly findPublicUrl?: () => Promise<string>
}

/** Files in the same folder. */
export interface PreviewFolder {
  readonly names: readonly string[]
  /** A file below the folder, by the path in a playlist. `null` outside of it. */
  readonly find: (path: string) => Pick<PreviewSource, 'textUrl' | 'headers'> | null
}
