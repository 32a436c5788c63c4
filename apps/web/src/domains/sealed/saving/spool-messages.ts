import type { Bytes } from '@dropleaf/seal'

export const SPOOL_FOLDER = 'sealed-downloads'

/** Opens a file. The reply contains the number of bytes that are retained from an earlier attempt. */
export interface SpoolOpen {
  readonly open: string
  readonly wholeBytes: number
  /** Complete units of this size are retained from an interrupted attempt. 0 starts from the beginning. */
  readonly keepsUnitBytes: number
}

/** Returns the name of the file that contains the number of flushed bytes of a private file. */
export const flushedName = (name: string): string => `${name}.flushed`

export type SpoolRequest = SpoolOpen | { readonly write: Bytes } | { readonly close: true }

/** `in_use`: another tab, or an earlier click, is saving the same file. */
export type SpoolFailure = 'full' | 'in_use' | 'unknown'

export type SpoolAnswer = { readonly sizeBytes: number } | { readonly failure: SpoolFailure }
