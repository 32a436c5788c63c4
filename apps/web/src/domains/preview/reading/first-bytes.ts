import { KIB } from '@dropleaf/contract'

/** Enough to determine the kind of a file. */
export const HEAD_MAX_BYTES = 64 * KIB

/** Key of the line wrapping setting. */
export const WRAP_KEY = 'dropleaf.preview-wrap'
