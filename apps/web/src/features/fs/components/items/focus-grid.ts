/** Gives the keyboard to the list, unless a dialog has it. */
export function focusGrid(): void {
  const grid = document.querySelector<HTMLElement>('[role="grid"]')
  if (!document.querySelector('dialog[open]')) grid?.focus({ preventScroll: true })
}
