import type { Enhancement } from './enhance.ts'

/** Time without new content after which diagrams are prepared for printing. */
const REST_MS = 3000
/**
 * Maximum number of diagrams that are drawn before printing starts, because drawing a diagram briefly blocks the
 * page.
 */
const DIAGRAMS_AHEAD = 40

export const HAS_FORMULA = 'code.language-math, code.language-math-display'
const DIAGRAM = 'pre:not(.dl-diagram > pre):has(> code.language-mermaid)'

/** Waits until the browser is idle. Browsers without `requestIdleCallback` use a timer instead. */
const nextIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 200)
  })

/**
 * Prepares a text for the browser's print menu, which does not wait for rendering. Draws diagrams while the browser
 * is idle, and formulas when printing starts.
 * @returns a function to call after new content was added to the text
 */
export function prepareForPrint(enhancement: Enhancement): () => void {
  const { shownIn, signal } = enhancement
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasFormulas = false
  signal.addEventListener('abort', () => clearTimeout(timer))

  const readyFormulas = async () => {
    hasFormulas = true
    const [{ drawFormulasForPrint }, { loadKatex }] = await Promise.all([
      import('./formulas.ts'),
      import('../../formulas.ts'),
    ])
    await loadKatex()
    let putBack = () => {}
    const begin = () => {
      putBack = drawFormulasForPrint(shownIn)
    }
    window.addEventListener('beforeprint', begin, { signal })
    window.addEventListener('afterprint', () => putBack(), { signal })
  }
  const drawDiagrams = async () => {
    const blocks = [...shownIn.querySelectorAll<HTMLPreElement>(DIAGRAM)].slice(0, DIAGRAMS_AHEAD)
    if (blocks.length === 0) return
    const { drawBlock } = await import('./diagrams.ts')
    for (const block of blocks) {
      await nextIdle()
      if (signal.aborted) return
      await drawBlock(block, enhancement)
    }
  }
  const getReady = async () => {
    await nextIdle()
    if (signal.aborted) return
    if (!hasFormulas && shownIn.querySelector(HAS_FORMULA)) await readyFormulas()
    await drawDiagrams()
  }
  return () => {
    clearTimeout(timer)
    // Ignores errors, for example while offline. The text is then printed as it is.
    timer = setTimeout(() => void getReady().catch(() => undefined), REST_MS)
  }
}
