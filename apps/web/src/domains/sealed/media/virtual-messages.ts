/**
 * Messages about virtual files, which are URLs of this origin. A page decrypts the bytes of a virtual file and the
 * service worker forwards them. The worker gets no keys. It requests the bytes of a file only from the page to which
 * the file belongs. For a download, it first asks all pages whether they have the file.
 */
export const VIRTUAL_MEDIA = '/s-media/'
export const VIRTUAL_DOWNLOAD = '/s-download/'

export interface VirtualFacts {
  /** `null` if the size is unknown before the end, as for an archive. */
  readonly sizeBytes: number | null
  readonly type: string
  /** Name of a download; `null` for a recording. */
  readonly name: string | null
}

/** A request from the worker to a page. The page replies on the port of the message. */
export interface VirtualQuestion {
  readonly type: 'virtual-file'
  readonly id: string
  /** Offset of the requested bytes; `null` requests only the facts. */
  readonly offset: number | null
}

/** The reply of the worker to a ping: the ids of the downloads that it is forwarding. */
export type PingAnswer = readonly string[]

/** A message from the worker to the page, on the port of a request for bytes. */
export type VirtualOrder = 'pull' | 'cancel'

/** A reply from the page to the worker, on the port of the request. */
export type VirtualAnswer =
  /** `null` if this page has no such file. */
  | { readonly facts: VirtualFacts | null }
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly end: true }
  | { readonly failure: true }
