let hasMoved = false

/** Loaded together with the first text. */
window.addEventListener('scroll', () => (hasMoved = true), { once: true, passive: true })

/** Whether the page has been scrolled, without forcing layout. */
export const hasScrolled = (): boolean => hasMoved
