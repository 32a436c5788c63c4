import type { PlaceholderFile, UploadPlaceholder } from './uploads/upload-placeholder.ts'

/** What the tools of an editor act on: the source of a text, or the text as it will look. */
export interface EditorTarget {
  readonly run: (action: EditorAction) => void
  readonly getState: () => TargetState
  /** Calls back when the state may be another one, not within the key press that made it so. */
  readonly subscribe: (listener: () => void) => () => void
  readonly selectedText: () => string
  readonly focus: () => void
}

export type TakeFiles = (files: readonly File[], at: number, isDrop: boolean) => void

/** The text as it will look, into which files come too. */
export interface RichTarget extends EditorTarget {
  /** Files that are pasted or dropped go there. */
  readonly setTakeFiles: (take: TakeFiles | null) => void
  /** A sign for a file on its way; `null`: at the caret. */
  readonly showSign: (at: number | null, file: PlaceholderFile) => UploadPlaceholder
}

export type PlainAction =
  | 'undo'
  | 'redo'
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'highlight'
  | 'bullets'
  | 'numbers'
  | 'tasks'
  | 'indent'
  | 'outdent'
  | 'quote'
  | 'rule'
  | 'footnote'
  | 'row-before'
  | 'row-after'
  | 'row-remove'
  | 'column-before'
  | 'column-after'
  | 'column-remove'

export type EditorAction =
  | { readonly type: PlainAction }
  /** 0 is an ordinary paragraph. */
  | { readonly type: 'heading'; readonly level: number }
  | { readonly type: 'code-block'; readonly language: string }
  | { readonly type: 'table'; readonly rows: number; readonly columns: number }
  | { readonly type: 'link' | 'image'; readonly address: string; readonly text: string }
  | { readonly type: 'insert'; readonly text: string }

export interface TargetState {
  /** Of the actions that mark the text, those that hold at the caret. */
  readonly active: ReadonlySet<PlainAction>
  /** Of the heading with the caret; 0 outside of one. */
  readonly headingLevel: number
  readonly isInTable: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
}

export const NO_STATE: TargetState = {
  active: new Set(),
  headingLevel: 0,
  isInTable: false,
  canUndo: false,
  canRedo: false,
}
