import { textView } from './text-view.ts'

/** Texts of the actions of readers and owners. */
export const textViewWords = { textView }
