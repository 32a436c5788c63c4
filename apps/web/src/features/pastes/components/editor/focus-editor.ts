/** Focuses the editor in its current form; until it is loaded, the plain field. */
export function focusEditor() {
  const fields = document.querySelectorAll<HTMLElement>('main textarea, main [contenteditable="true"]')
  const shown = [...fields].find((field) => field.checkVisibility())
  shown?.focus()
}
