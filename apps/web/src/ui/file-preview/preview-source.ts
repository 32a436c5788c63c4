/** Where the bytes of a file are. */
export interface PreviewSource {
  readonly name: string
  readonly sizeBytes: number
  /** What the browser's own viewers open. */
  readonly url: string
  /** For scripts to read: through the server, because a storage that is read directly need not allow them to. */
  readonly textUrl: string
  /** Of `textUrl`, where it needs a credential. */
  readonly headers?: Readonly<Record<string, string>>
}
