/** The field until the editor has come, which takes the focus over; or whichever form of the editor is shown. */
export function focusEditor() {
  const fields = document.querySelectorAll<HTMLElement>('main textarea, main [contenteditable="true"]')
  const shown = [...fields].find((field) => field.checkVisibility())
  shown?.focus()
}
