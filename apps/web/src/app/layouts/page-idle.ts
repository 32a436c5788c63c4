import { textsAreDrawn } from '../../domains/markdown/render/load.ts'

const LONGEST_WAIT_MS = 5000
const REST_MS = 1000
/** A text that takes longer than this comes while other things begin. */
const LONGEST_TEXT_MS = 3000

const idleMoment = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: LONGEST_WAIT_MS })
    else setTimeout(resolve, REST_MS)
  })

/** The page has loaded, shows a long text as a whole, and has nothing to do for a moment. */
export async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  // Between the pieces of a text there are idle moments, too.
  await idleMoment()
  await Promise.race([textsAreDrawn(), new Promise((resolve) => setTimeout(resolve, LONGEST_TEXT_MS))])
  await idleMoment()
}
