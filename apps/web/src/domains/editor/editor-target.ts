import type { PlaceholderFile, UploadPlaceholder } from './uploads/upload-placeholder.ts'

/** Target of the editor tools, which is either the source or the rich view. */
export interface EditorTarget {
  readonly run: (action: EditorAction) => void
  readonly getState: () => TargetState
  /**
   * Calls the listener after the state might have changed. The source calls it with a delay, so that typing stays
   * fast.
   */
  readonly subscribe: (listener: () => void) => () => void
  readonly selectedText: () => string
  readonly focus: () => void
}

export type TakeFiles = (files: readonly File[], at: number, isDrop: boolean) => void

/** The rich view, which also accepts files. */
export interface RichTarget extends EditorTarget {
  /** Sets the handler for pasted and dropped files. */
  readonly setTakeFiles: (take: TakeFiles | null) => void
  /** Shows a placeholder for an upload at a position; `null` means at the caret. */
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
  /** Level 0 is a normal paragraph. */
  | { readonly type: 'heading'; readonly level: number }
  | { readonly type: 'code-block'; readonly language: string }
  | { readonly type: 'table'; readonly rows: number; readonly columns: number }
  | { readonly type: 'link' | 'image'; readonly address: string; readonly text: string }
  | { readonly type: 'insert'; readonly text: string }

export interface TargetState {
  /** Text styles, lists and quotes that apply at the caret. */
  readonly active: ReadonlySet<PlainAction>
  /** Level of the heading at the caret; 0 outside a heading. */
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
