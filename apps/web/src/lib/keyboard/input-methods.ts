/**
 * Whether a key is the input method's, as Enter is that takes what is composed, and Esc that drops it. Safari tells of the
 * last one after the composition, by the number that stands for such keys alone.
 */
const isComposing = ({ isComposing: is, keyCode }: KeyboardEvent): boolean => is || keyCode === 229

/** Where text is edited by a library that knows of input methods and has to see their keys. */
const EDITORS = '[contenteditable="true"]'

function leaveIt(event: KeyboardEvent): void {
  if (!isComposing(event)) return
  const editor = event.target instanceof Element ? event.target.closest(EDITORS) : null
  if (!editor) return event.stopImmediatePropagation()
  // After what the editor itself listens to, and before all that is around it.
  return editor.addEventListener('keydown', (again) => again.stopPropagation(), { once: true })
}

/**
 * Leaves the keys of input methods to them: no field, form, list, dialog or page receives one. Called before anything
 * else listens to keys.
 */
export function leaveKeysToInputMethods(target: Window = window): void {
  target.addEventListener('keydown', leaveIt, { capture: true })
}
