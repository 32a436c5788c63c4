import { type HElement, parseAsync, renderDocument } from 'docx-preview'
import { sanitiseDocument } from '../foreign-document.ts'
import { putFormulas } from './word-formulas.ts'
import { prepareWord } from './word-parts.ts'
import { addressPictures, captionPictures, type PictureWords, type WordPictures } from './word-pictures.ts'

/** An inert document. Content that is assembled in this document loads and runs nothing. */
const inert = document.implementation.createHTMLDocument('')

function setProperty(element: Element, name: string, value: unknown): void {
  if (name === 'className') element.setAttribute('class', value as string)
  else if (name === 'style' && typeof value === 'object' && value !== null) {
    for (const [property, text] of Object.entries(value as Record<string, string>)) {
      if (property in (element as HTMLElement).style)
        (element as unknown as { style: Record<string, string> }).style[property] = text
      else (element as HTMLElement).style.setProperty(property, text)
    }
  } else if (typeof value === 'function' || value === undefined || value === null || value === false) return
  else if (name in element && typeof value !== 'string') Reflect.set(element, name, value)
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    element.setAttribute(name === 'htmlFor' ? 'for' : name, String(value))
}

function make(part: HElement | Node | string): Node {
  if (typeof part === 'string') return inert.createTextNode(part)
  if ('nodeType' in part) return part as unknown as Node
  const { ns, tagName, children = [], ...properties } = part
  if (tagName === '#comment') return inert.createComment('')
  const node =
    tagName === '#fragment'
      ? inert.createDocumentFragment()
      : ns === undefined
        ? inert.createElement(tagName)
        : inert.createElementNS(ns, tagName)
  if ('setAttribute' in node)
    for (const [name, value] of Object.entries(properties)) setProperty(node, name, value)
  for (const child of children) if (child) node.appendChild(make(child))
  return node
}

const PAGE_STYLES =
  '<style>html { background: #eceeec } body { margin: 0 } .docx-wrapper { padding: 12px !important; background: none !important } ' +
  '.docx-wrapper > section.docx:not([style*="width"]) { width: min(100%, 600pt); padding: 40pt } ' +
  '.docx-wrapper > section.docx { max-width: 100%; ' +
  'overflow-x: auto; box-sizing: border-box; box-shadow: 0 0 0 1px #ccc !important; margin-bottom: 12px !important } ' +
  '.picture-missing { display: inline-flex; align-items: center; justify-content: center; min-width: 8em; min-height: 2em; ' +
  'box-sizing: border-box; padding: 4px 8px; border: 1px dashed #999; color: #555; font: 12px sans-serif; overflow: hidden } ' +
  'img[alt]:not([alt=""]) { color: #555; font: 12px sans-serif } ' +
  '@media (width < 40em) { .docx-wrapper { padding: 0 !important } ' +
  '.docx-wrapper > section.docx { width: 100% !important; padding: 16px !important } }</style>'

/**
 * Converts a Word document to a self-contained page.
 * @throws if the bytes are not a Word document
 */
export async function wordToHtml(bytes: Uint8Array<ArrayBuffer>, words: PictureWords): Promise<string> {
  const options = {
    h: make,
    useBase64URL: true,
    renderAltChunks: false,
    renderComments: false,
    ignoreLastRenderedPageBreak: false,
  }
  const { bytes: prepared, formulas } = await prepareWord(bytes, inert)
  const word = (await parseAsync(prepared, options)) as WordPictures
  addressPictures(word)
  const nodes = await renderDocument(word, options)
  inert.body.replaceChildren(...nodes)
  putFormulas(inert.body, formulas)
  sanitiseDocument(inert.body)
  captionPictures(inert.body, words)
  const html = inert.body.innerHTML
  inert.body.replaceChildren()
  return PAGE_STYLES + html
}
