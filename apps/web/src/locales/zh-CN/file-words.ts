import { bundling } from './files/bundling.ts'
import { files } from './files/files.ts'
import { preview } from './files/preview.ts'

/** Texts of the pages that share and show files. */
export const fileWords = { bundling, files, preview }
