import type { Bytes } from '@dropleaf/seal'

export const SPOOL_FOLDER = 'sealed-downloads'

/** Opens a file. The answer tells how many bytes of it are kept. */
export interface SpoolOpen {
  readonly open: string
  /** Whole units of this size are kept from an interrupted attempt; 0 starts anew. */
  readonly keepsUnitBytes: number
}

export type SpoolRequest = SpoolOpen | { readonly write: Bytes } | { readonly close: true }

export type SpoolAnswer = { readonly sizeBytes: number } | { readonly failure: string }
