import { KIB } from '@dropleaf/contract'

/** Enough to see what a file is. */
export const HEAD_MAX_BYTES = 64 * KIB

/** Where the browser keeps whether lines wrap. */
export const WRAP_KEY = 'dropleaf.preview-wrap'
