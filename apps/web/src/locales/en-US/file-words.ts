import type { fileWords as chinese } from '../zh-CN/file-words.ts'
import { files } from './files/files.ts'
import { preview } from './files/preview.ts'

export const fileWords: typeof chinese = { files, preview }
