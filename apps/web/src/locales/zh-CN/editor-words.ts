import { editor } from './editor.ts'

/** Texts of the editor's tools. */
export const editorWords = { editor }
