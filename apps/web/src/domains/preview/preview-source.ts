/** Where the bytes of a file are. */
export interface PreviewSource {
  readonly name: string
  readonly sizeBytes: number
  /** As the server says, or empty. */
  readonly mimetype?: string
  /** What the browser's own viewers open. */
  readonly url: string
  /** For scripts to read: through the server, because a storage that is read directly need not allow them to. */
  readonly textUrl: string
  /** Of `textUrl`, where it needs a credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** Saves the file. */
  readonly downloadUrl?: string
  /** The folder that it lies in, where that can be read. */
  readonly folder?: PreviewFolder
  /** Where an online service would be sent for the file, asked for when somebody chooses one. */
  readonly findPublicUrl?: () => Promise<string>
}

/** Files beside the one that is shown. */
export interface PreviewFolder {
  readonly names: readonly string[]
  /** A file below the folder by its path, as a playlist names it. `null` for what is not below it. */
  readonly find: (path: string) => Pick<PreviewSource, 'textUrl' | 'headers'> | null
}
