/**
 * Messages about virtual files: addresses of this origin whose bytes a page decrypts and the service worker passes on.
 * The worker gets no keys, and asks only the page to which a file belongs.
 */
export const VIRTUAL_MEDIA = '/s-media/'
export const VIRTUAL_DOWNLOAD = '/s-download/'

export interface VirtualFacts {
  /** `null` if it is unknown before the end, as for an archive. */
  readonly sizeBytes: number | null
  readonly type: string
  /** Name of a download; `null` for a recording. */
  readonly name: string | null
}

/** From the worker to a page, with a port on which the page answers. */
export interface VirtualQuestion {
  readonly type: 'virtual-file'
  readonly id: string
  /** Asks for bytes from here; `null` asks for the facts only. */
  readonly offset: number | null
}

/** From the worker to a page that has asked whether it is there: the downloads that it is passing on. */
export type PingAnswer = readonly string[]

/** From the worker to the page, on the port of a question for bytes. */
export type VirtualOrder = 'pull' | 'cancel'

/** From the page to the worker, on the port of a question. */
export type VirtualAnswer =
  /** `null` if this page has no such file. */
  | { readonly facts: VirtualFacts | null }
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly end: true }
  | { readonly failure: true }
