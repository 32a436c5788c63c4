import { files } from './files/files.ts'
import { preview } from './files/preview.ts'

/** Of the pages that share and show files. */
export const fileWords = { files, preview }
