import { FormulaError, drawFormula, drawFormulaAtOnce, formulaBefore } from '../../formulas.ts'
import { madeHtml } from '../../../../lib/browser/trusted-types.ts'
import type { Enhancement } from './enhance.ts'
import './formulas.css'
import { fill } from './words.ts'

const FORMULAS = 'code.language-math, code.language-math-display'

const isBlock = (code: Element) => code.parentElement?.tagName === 'PRE'

const isDisplayed = (code: Element) => isBlock(code) || code.className.endsWith('-display')

/** The place that a formula takes: of the whole block, or of the words in a line. */
function place(code: HTMLElement, html: string): void {
  const block = code.closest('pre')
  const made = document.createElement(block ? 'div' : 'span')
  made.className = 'dl-formula'
  if (block) made.tabIndex = 0
  // Made by KaTeX, which escapes what it is given.
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
    // A renderer that cannot be fetched leaves the source, which can be read.
    if (!(error instanceof FormulaError) || signal.aborted) return
    placeFailure(code, fill(words.formulaFailed, { reason: error.message }))
  }
}

/** Draws what is code with the class `language-math` or `-math-display`. */
export function enhanceFormulas(root: HTMLElement, enhancement: Enhancement): void {
  for (const code of root.querySelectorAll<HTMLElement>(FORMULAS)) {
    const isDisplay = isDisplayed(code)
    const before = formulaBefore(code.textContent, isDisplay)
    if (before === null) enhancement.near.add(code, () => draw(code, isDisplay, enhancement))
    else place(code, before)
  }
}

/**
 * Draws at once what nobody has come near to yet, with the fonts of the browser: those of KaTeX would come too late. Answers
 * how everything waits again.
 */
export function drawFormulasForPrint(root: HTMLElement): () => void {
  const drawn = [...root.querySelectorAll(FORMULAS)].flatMap((code) => {
    const html = drawFormulaAtOnce(code.textContent, isDisplayed(code))
    const waiting = code.closest('pre') ?? code
    const made = document.createElement(isBlock(code) ? 'p' : 'span')
    // Made by KaTeX, which escapes what it is given.
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
