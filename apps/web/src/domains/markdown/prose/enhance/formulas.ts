import { FormulaError, drawFormula, drawFormulaAtOnce, formulaBefore } from '../../formulas.ts'
import { madeHtml } from '../../../../lib/browser/trusted-types.ts'
import type { Enhancement } from './enhance.ts'
import './formulas.css'
import { fill } from './words.ts'

const FORMULAS = 'code.language-math, code.language-math-display'

const isBlock = (code: Element) => code.parentElement?.tagName === 'PRE'

const isDisplayed = (code: Element) => isBlock(code) || code.className.endsWith('-display')

/** Replaces the source of a formula with its HTML, as a block or inline. */
function place(code: HTMLElement, html: string): void {
  const block = code.closest('pre')
  const made = document.createElement(block ? 'div' : 'span')
  made.className = 'dl-formula'
  if (block) made.tabIndex = 0
  // Safe to insert, because KaTeX escapes its input.
  made.innerHTML = madeHtml(html)
  const target = block ?? code
  target.replaceWith(made)
}

function placeFailure(code: HTMLElement, text: string): void {
  const note = document.createElement(isBlock(code) ? 'p' : 'span')
  note.className = 'dl-failed-note'
  note.textContent = text
  ;(code.closest('pre') ?? code).after(note)
}

async function draw(code: HTMLElement, isDisplay: boolean, { words, signal }: Enhancement): Promise<void> {
  try {
    const html = await drawFormula(code.textContent, isDisplay)
    if (!signal.aborted) place(code, html)
  } catch (error) {
    // If KaTeX cannot be loaded, the source stays visible.
    if (!(error instanceof FormulaError) || signal.aborted) return
    placeFailure(code, fill(words.formulaFailed, { reason: error.message }))
  }
}

/** Renders formulas: code with the class `language-math` or `language-math-display`. */
export function enhanceFormulas(root: HTMLElement, enhancement: Enhancement): void {
  for (const code of root.querySelectorAll<HTMLElement>(FORMULAS)) {
    const isDisplay = isDisplayed(code)
    const before = formulaBefore(code.textContent, isDisplay)
    if (before === null) enhancement.near.add(code, () => draw(code, isDisplay, enhancement))
    else place(code, before)
  }
}

/**
 * Renders all remaining formulas synchronously as MathML, because KaTeX's fonts would load too late for printing.
 * @returns a function that restores the sources
 */
export function drawFormulasForPrint(root: HTMLElement): () => void {
  const drawn = [...root.querySelectorAll(FORMULAS)].flatMap((code) => {
    const html = drawFormulaAtOnce(code.textContent, isDisplayed(code))
    const waiting = code.closest('pre') ?? code
    const made = document.createElement(isBlock(code) ? 'p' : 'span')
    // Safe to insert, because KaTeX escapes its input.
    made.innerHTML = madeHtml(html ?? '')
    const formula = made.querySelector('math')
    if (!formula) return []
    made.replaceChildren(formula)
    waiting.replaceWith(made)
    return [{ made, waiting }]
  })
  return () => {
    for (const { made, waiting } of drawn) made.replaceWith(waiting)
  }
}
