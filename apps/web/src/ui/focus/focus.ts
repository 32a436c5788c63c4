/** As `ref`: the field has the focus as soon as it is there, in a dialog when that opens. For screens that consist of one form. */
export function focusOnMount(element: HTMLElement | null): void {
  if (element) element.autofocus = true
  element?.focus({ preventScroll: true })
}

/** As `ref` of what takes the place of the button that it was opened by: the keyboard goes on there, and sees it. */
export function goOnHere(element: HTMLElement | null): void {
  element?.focus()
}

/** What had the focus has gone with its page: the keyboard goes on at the page that has come. */
export function passFocusToPage(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
}

/** Whether it has the focus, and the keyboard has brought it there: a mouse leaves the focus where it was pressed. */
export const hasKeyboard = (element: HTMLElement | null): boolean =>
  element?.matches(':focus-visible') ?? false

const NARROWING = ':is(search :is(input, select, button), input[type="search"])'

/** A list that was narrowed is whole again, and the button for it has gone: the keyboard goes on at what narrows it. */
export function goOnAtFilters(): void {
  const controls = [...document.querySelectorAll<HTMLElement>(`main ${NARROWING}`)]
  const first = controls.find((control) => control.checkVisibility()) ?? document.querySelector('main')
  first?.focus()
}
