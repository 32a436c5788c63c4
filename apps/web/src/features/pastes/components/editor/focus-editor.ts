/** Focuses the editor, or the plain text field until the editor is loaded. */
export function focusEditor() {
  const fields = document.querySelectorAll<HTMLElement>('main textarea, main [contenteditable="true"]')
  const shown = [...fields].find((field) => field.checkVisibility())
  shown?.focus()
}
