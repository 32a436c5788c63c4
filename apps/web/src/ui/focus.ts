/** As `ref`: the field has the focus as soon as it is there. For screens that consist of one form. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

/** Whether it has the focus, and the keyboard has brought it there: a mouse leaves the focus where it was pressed. */
export const hasKeyboard = (element: HTMLElement | null): boolean =>
  element?.matches(':focus-visible') ?? false
