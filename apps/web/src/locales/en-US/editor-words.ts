import type { editorWords as chinese } from '../zh-CN/editor-words.ts'
import { editor } from './editor.ts'

export const editorWords: typeof chinese = { editor }
