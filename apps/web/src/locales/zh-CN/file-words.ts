import { files } from './files.ts'
import { preview } from './preview.ts'

/** Of the pages that share and show files. */
export const fileWords = { files, preview }
