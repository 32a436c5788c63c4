import type { Compartment, Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** What a slot has while it has nothing. */
export const NOTHING: Extension = []

/**
 * Gives a slot its extension. While an input method composes a word this waits until the word is written:
 * a new set of extensions can take the focus from the word, and its letters would stay as they are.
 */
export function setSlot(view: EditorView, slot: Compartment, extension: Extension): void {
  if (!view.compositionStarted) {
    view.dispatch({ effects: slot.reconfigure(extension) })
    return
  }
  // On Android the editor has an `EditContext`, which has the events of a composition then.
  const content: HTMLElement & { readonly editContext?: EventTarget | null } = view.contentDOM
  const events = content.editContext ?? content
  events.addEventListener(
    'compositionend',
    // The editor reads the word in a microtask of the event.
    () => setTimeout(() => setSlot(view, slot, extension), 0),
    { once: true },
  )
}

/** Gives a slot what it is to have. For what it has already the editor would be set up again. */
export function fill(view: EditorView, slot: Compartment, extension: Extension): void {
  if (slot.get(view.state) !== extension) setSlot(view, slot, extension)
}
