/** A `ref` that focuses a field when it is mounted, or when its dialog opens. Only for screens with a single form. */
export function focusOnMount(element: HTMLElement | null): void {
  if (element) element.autofocus = true
  element?.focus({ preventScroll: true })
}

let isPointerLast = false
addEventListener('pointerdown', () => (isPointerLast = true), { capture: true, passive: true })
addEventListener('keydown', () => (isPointerLast = false), { capture: true, passive: true })

/** Focuses content that has replaced the focused element. After a click, it has no focus ring. */
function landOn(element: HTMLElement | null, options?: FocusOptions): void {
  element?.toggleAttribute('data-landed', isPointerLast)
  element?.focus(options)
}

/** A `ref` that moves the focus to content that replaces a button. */
export const goOnHere = (element: HTMLElement | null): void => landOn(element)

export const focusPage = (): void => landOn(document.querySelector('main'), { preventScroll: true })

/** Focuses the new page if the focused element was removed with the old page. */
export function passFocusToPage(): void {
  if (document.activeElement === document.body) focusPage()
}

/** Whether an element has keyboard focus, in contrast to focus by a mouse click. */
export const hasKeyboard = (element: HTMLElement | null): boolean =>
  element?.matches(':focus-visible') ?? false

const NARROWING = ':is(search :is(input, select, button), input[type="search"])'

/** Focuses the filters, after the button that cleared them has disappeared. */
export function goOnAtFilters(): void {
  const controls = [...document.querySelectorAll<HTMLElement>(`main ${NARROWING}`)]
  const first = controls.find((control) => control.checkVisibility()) ?? document.querySelector('main')
  first?.focus()
}
