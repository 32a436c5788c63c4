import type { textViewWords as chinese } from '../zh-CN/text-view-words.ts'
import { textView } from './text-view.ts'

export const textViewWords: typeof chinese = { textView }
