/** Focuses the list, unless a dialog is open. */
export function focusGrid(): void {
  const grid = document.querySelector<HTMLElement>('[role="grid"]')
  if (!document.querySelector('dialog[open]')) grid?.focus({ preventScroll: true })
}
