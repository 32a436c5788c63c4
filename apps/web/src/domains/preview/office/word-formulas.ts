import { formulaToMathml } from './formula.ts'

/** A private-use character, which documents do not contain. */
const MARK = '\uF8FF'
const MARKS = new RegExp(`(${MARK}formula\\d+${MARK})`)

const named = (root: Document | Element, name: string) => [...root.getElementsByTagNameNS('*', name)]

/** A text run, or a paragraph with one where only paragraphs are allowed. */
function runOf(place: Element, text: string): Element {
  const page = place.ownerDocument
  const paragraph = place.closest('*|p')
  const space = (paragraph ?? place.parentElement)?.namespaceURI ?? null
  const prefix = (paragraph ?? place.parentElement)?.prefix
  const make = (name: string, ...children: readonly (Node | string)[]) => {
    const element = page.createElementNS(space, prefix ? `${prefix}:${name}` : name)
    element.append(...children)
    return element
  }
  const run = make('r', make('t', text))
  return paragraph ? run : make('p', run)
}

/**
 * Replaces the formulas of a Word document by placeholders before conversion: the converter supports few formulas, and
 * breaks exponents of several characters.
 * @param formulas receives them, as MathML of `page`
 */
export function takeFormulas(xml: Document, page: Document, formulas: Element[]): void {
  const take = (formula: Element, isBlock: boolean) => {
    formulas.push(formulaToMathml(formula, page, isBlock))
    return runOf(formula, `${MARK}formula${formulas.length - 1}${MARK}`)
  }
  for (const block of named(xml, 'oMathPara'))
    block.replaceWith(...named(block, 'oMath').map((formula) => take(formula, true)))
  for (const formula of named(xml, 'oMath')) formula.replaceWith(take(formula, false))
}

/** Puts the formulas in place of their placeholders. */
export function putFormulas(root: Element, formulas: readonly Element[]): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const marked: Text[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.data.includes(MARK)) marked.push(node)
  }
  for (const node of marked) {
    const parts = node.data.split(MARKS).map((part) => {
      const index = MARKS.test(part) ? Number(/\d+/.exec(part)?.[0]) : null
      // A header may be repeated.
      return index === null ? part : (formulas[index]?.cloneNode(true) ?? '')
    })
    node.replaceWith(...parts)
  }
}
