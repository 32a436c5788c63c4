import { textView } from './text-view.ts'

/** Of what readers and owners of a text can do beside reading it. */
export const textViewWords = { textView }
