import type { Bytes } from '@dropleaf/seal'

export const SPOOL_FOLDER = 'sealed-downloads'

/** Opens a file. The answer tells how many bytes of it are kept. */
export interface SpoolOpen {
  readonly open: string
  readonly wholeBytes: number
  /** Whole units of this size are kept from an interrupted attempt; 0 starts anew. */
  readonly keepsUnitBytes: number
}

/** Name of the file that says how many bytes of a private file are on the disk for certain. */
export const flushedName = (name: string): string => `${name}.flushed`

export type SpoolRequest = SpoolOpen | { readonly write: Bytes } | { readonly close: true }

/** `in_use`: another tab, or an earlier click, is saving the same file. */
export type SpoolFailure = 'full' | 'in_use' | 'unknown'

export type SpoolAnswer = { readonly sizeBytes: number } | { readonly failure: SpoolFailure }
