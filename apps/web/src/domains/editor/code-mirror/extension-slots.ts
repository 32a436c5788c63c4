import type { Compartment, Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** Content of an empty slot. */
export const NOTHING: Extension = []

/**
 * Sets the extension of a slot. Waits while a composition is active, because a reconfiguration can interrupt the input
 * method and leave unconverted characters in the text.
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
    // Runs in a later task, because the editor reads the composed word in a microtask after the event.
    () => setTimeout(() => setSlot(view, slot, extension), 0),
    { once: true },
  )
}

/** Sets the extension of a slot unless the slot already has it, because reconfiguring is expensive. */
export function fill(view: EditorView, slot: Compartment, extension: Extension): void {
  if (slot.get(view.state) !== extension) setSlot(view, slot, extension)
}
