import JSZip from 'jszip'
import { formulaToMathml } from './formula.ts'

const TEXT_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/

/** For private use: no document has such words. */
const MARK = '\uF8FF'
const MARKS = new RegExp(`(${MARK}formula\\d+${MARK})`)

export interface MarkedWord {
  /** The same document with words that mark where its formulas are. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Puts the formulas to their marks in what was made of the document. */
  readonly putFormulas: (root: Element) => void
}

const named = (root: Document | Element, name: string) => [...root.getElementsByTagNameNS('*', name)]

/** A run of text, or a paragraph with one where only paragraphs may stand. */
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
 * Takes the formulas out of a document of Word before it becomes a page: what makes the page knows only some of their
 * shapes, and mixes up exponents that are longer than a letter.
 */
export async function markFormulas(bytes: Uint8Array<ArrayBuffer>, page: Document): Promise<MarkedWord> {
  const zip = await JSZip.loadAsync(bytes)
  const formulas: Element[] = []
  for (const part of zip.file(TEXT_PARTS)) {
    const text = await part.async('string')
    if (!text.includes('oMath')) continue
    const xml = new DOMParser().parseFromString(text, 'text/xml')
    if (named(xml, 'parsererror').length > 0) continue
    const take = (formula: Element, isBlock: boolean) => {
      formulas.push(formulaToMathml(formula, page, isBlock))
      return runOf(formula, `${MARK}formula${formulas.length - 1}${MARK}`)
    }
    for (const block of named(xml, 'oMathPara'))
      block.replaceWith(...named(block, 'oMath').map((formula) => take(formula, true)))
    for (const formula of named(xml, 'oMath')) formula.replaceWith(take(formula, false))
    zip.file(part.name, new XMLSerializer().serializeToString(xml))
  }
  if (formulas.length === 0) return { bytes, putFormulas: () => undefined }
  return {
    // What is packed already is not packed anew.
    bytes: new Uint8Array(await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' })),
    putFormulas: (root) => putFormulas(root, formulas),
  }
}

function putFormulas(root: Element, formulas: readonly Element[]): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const marked: Text[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.data.includes(MARK)) marked.push(node)
  }
  for (const node of marked) {
    const parts = node.data.split(MARKS).map((part) => {
      const index = MARKS.test(part) ? Number(/\d+/.exec(part)?.[0]) : null
      // Headers are on every page.
      return index === null ? part : (formulas[index]?.cloneNode(true) ?? '')
    })
    node.replaceWith(...parts)
  }
}
