import { KIB } from '@dropleaf/contract'

/** Number of first bytes that are enough to determine the kind of a file. */
export const HEAD_MAX_BYTES = 64 * KIB

/** Storage key of the line wrapping setting. */
export const WRAP_KEY = 'dropleaf.preview-wrap'
