import { textsAreDrawn } from '../../domains/markdown/render/load.ts'

const LONGEST_WAIT_MS = 5000
const REST_MS = 1000
/** Maximum time that other work waits for a text that is still being rendered. */
const LONGEST_TEXT_MS = 3000

const idleMoment = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: LONGEST_WAIT_MS })
    else setTimeout(resolve, REST_MS)
  })

/**
 * Resolves when the page is loaded, a long text is complete, and the browser is idle. The waits for the text and for
 * the browser are limited.
 */
export async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  // The browser is also idle between two pieces of a text, so this function also waits for all pieces.
  await idleMoment()
  await Promise.race([textsAreDrawn(), new Promise((resolve) => setTimeout(resolve, LONGEST_TEXT_MS))])
  await idleMoment()
}
