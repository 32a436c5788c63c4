let hasMoved = false

/** The listener is registered early, because this module loads together with the first text. */
window.addEventListener('scroll', () => (hasMoved = true), { once: true, passive: true })

/** Whether the page has been scrolled. Does not force a layout. */
export const hasScrolled = (): boolean => hasMoved
