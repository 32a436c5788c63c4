/**
 * Whether a key belongs to the input method, such as Enter to accept a composition, or Esc to cancel it. Safari reports
 * the last key after the composition has ended, with key code 229.
 */
const isComposing = ({ isComposing: is, keyCode }: KeyboardEvent): boolean => is || keyCode === 229

/** Elements whose libraries handle input methods themselves, and therefore need the keys of input methods. */
const EDITORS = '[contenteditable="true"]'

function leaveIt(event: KeyboardEvent): void {
  if (!isComposing(event)) return
  const editor = event.target instanceof Element ? event.target.closest(EDITORS) : null
  if (!editor) return event.stopImmediatePropagation()
  // The listener runs after the editor's own listeners, and before the listeners of its ancestors.
  return editor.addEventListener('keydown', (again) => again.stopPropagation(), { once: true })
}

/**
 * Hides the keys of input methods from all fields, forms, lists and dialogs. Must be called before any other key
 * listener is added.
 */
export function leaveKeysToInputMethods(target: Window = window): void {
  target.addEventListener('keydown', leaveIt, { capture: true })
}
