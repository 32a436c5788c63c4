import { formulaToMathml } from './formula.ts'

/** A private-use character that does not occur in documents. */
const MARK = '\uF8FF'
const MARKS = new RegExp(`(${MARK}formula\\d+${MARK})`)

const named = (root: Document | Element, name: string) => [...root.getElementsByTagNameNS('*', name)]

/** Creates a text run. Wraps the run in a paragraph where only paragraphs are allowed. */
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
 * Replaces the formulas of a Word document with placeholders before conversion. The converter supports few formulas and
 * breaks exponents of several characters.
 * @param page the document that owns the MathML
 * @param formulas receives the formulas as MathML
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

/** Replaces the placeholders with the formulas. */
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
      // Clones the formula, because its placeholder can occur several times, for example in repeated headers.
      return index === null ? part : (formulas[index]?.cloneNode(true) ?? '')
    })
    node.replaceWith(...parts)
  }
}
