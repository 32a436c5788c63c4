import type { Compartment, Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** The content of an empty slot. */
export const NOTHING: Extension = []

/**
 * Sets the extension of a slot. During a composition this waits for its end: a new configuration can take the focus
 * from the composed word, and its characters would remain as typed.
 */
export function setSlot(view: EditorView, slot: Compartment, extension: Extension): void {
  if (!view.compositionStarted) {
    view.dispatch({ effects: slot.reconfigure(extension) })
    return
  }
  // On Android the editor has an `EditContext`, which dispatches the composition events.
  const content: HTMLElement & { readonly editContext?: EventTarget | null } = view.contentDOM
  const events = content.editContext ?? content
  events.addEventListener(
    'compositionend',
    // The editor reads the composed word in a microtask of the event.
    () => setTimeout(() => setSlot(view, slot, extension), 0),
    { once: true },
  )
}

/** Sets the extension of a slot, unless the slot already has it: a new configuration is expensive. */
export function fill(view: EditorView, slot: Compartment, extension: Extension): void {
  if (slot.get(view.state) !== extension) setSlot(view, slot, extension)
}
