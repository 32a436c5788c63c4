import { editor } from './editor.ts'

/** Of what comes to an editor after one can type in it. */
export const editorWords = { editor }
