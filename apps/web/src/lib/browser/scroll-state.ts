let hasMoved = false

/** Loaded with what shows the first text. */
window.addEventListener('scroll', () => (hasMoved = true), { once: true, passive: true })

/** Whether the page has been scrolled, without asking for its layout. */
export const hasScrolled = (): boolean => hasMoved
