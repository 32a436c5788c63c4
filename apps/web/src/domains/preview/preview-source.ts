/**
 * The bytes of a file that has no URL, because this page decrypts the file. Errors are those of
 * `reading/byte-source.ts`.
 */
export interface PreviewBytes {
  readonly size: number
  /** Reads exactly this range of the file. */
  readonly read: (offset: number, length: number, signal?: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>
  /** Yields a range of the file in order. */
  readonly stream: (
    range: { readonly offset: number; readonly length: number },
    signal?: AbortSignal,
  ) => AsyncIterable<Uint8Array<ArrayBuffer>>
}

/** What a URL is used for: an image element, or an audio or video element. */
export type UrlUse = 'picture' | 'recording'

/** Describes where the bytes of a file can be loaded. */
export interface PreviewSource {
  readonly name: string
  readonly sizeBytes: number
  /** Media type from the server; can be empty. */
  readonly mimetype?: string
  /** URL for the browser's own viewers. */
  readonly url: string
  /** URL for scripts. The URL is on the server, because a storage might not allow CORS. */
  readonly textUrl: string
  /** Headers for `textUrl`, if it requires a credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** If set, provides the bytes. `textUrl` then only identifies the file. */
  readonly bytes?: PreviewBytes
  /** Creates the URL for elements of the browser. If set, this URL is used instead of `url`. */
  readonly findUrl?: (use: UrlUse, signal: AbortSignal) => Promise<string>
  /** URL that saves the file. */
  readonly downloadUrl?: string
  /** Saves a file that has no URL for downloads. */
  readonly onDownload?: () => void
  /** Folder of the file. Absent if the folder cannot be read. */
  readonly folder?: PreviewFolder
  /** Requests a public URL for an online service. Called when the user selects an online service. */
  readonly findPublicUrl?: () => Promise<string>
}

/** The folder that contains the file. */
export interface PreviewFolder {
  readonly names: readonly string[]
  /**
   * Finds a file by its path relative to the folder. Returns `null` for a path outside the folder. Can return a file
   * that does not exist; the read then fails.
   */
  readonly find: (path: string) => Pick<PreviewSource, 'textUrl' | 'headers' | 'bytes'> | null
}
