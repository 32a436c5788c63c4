/** As `ref`: the field has the focus as soon as it is there. For screens that consist of one form. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
