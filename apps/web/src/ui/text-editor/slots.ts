import type { Compartment, Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** What a slot has while it has nothing. */
export const NOTHING: Extension = []

/** Gives a slot what it is to have. For what it has already the editor would be set up again. */
export function fill(view: EditorView, slot: Compartment, extension: Extension): void {
  if (slot.get(view.state) !== extension) view.dispatch({ effects: slot.reconfigure(extension) })
}
