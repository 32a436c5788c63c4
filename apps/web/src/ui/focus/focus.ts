/** A `ref`: focuses the field when it is mounted, in a dialog when that opens. For screens with a single form. */
export function focusOnMount(element: HTMLElement | null): void {
  if (element) element.autofocus = true
  element?.focus({ preventScroll: true })
}

/** A `ref` for content that replaces its button: moves the focus there, with a visible ring. */
export function goOnHere(element: HTMLElement | null): void {
  element?.focus()
}

/** The focused element was removed with its page: focuses the new page. */
export function passFocusToPage(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
}

/** Whether an element has the focus by keyboard: a mouse leaves the focus where it clicked. */
export const hasKeyboard = (element: HTMLElement | null): boolean =>
  element?.matches(':focus-visible') ?? false

const NARROWING = ':is(search :is(input, select, button), input[type="search"])'

/** The button that cleared the filters is gone: focuses the filters. */
export function goOnAtFilters(): void {
  const controls = [...document.querySelectorAll<HTMLElement>(`main ${NARROWING}`)]
  const first = controls.find((control) => control.checkVisibility()) ?? document.querySelector('main')
  first?.focus()
}
