import type { fileWords as chinese } from '../zh-CN/file-words.ts'
import { bundling } from './files/bundling.ts'
import { files } from './files/files.ts'
import { preview } from './files/preview.ts'

export const fileWords: typeof chinese = { bundling, files, preview }
