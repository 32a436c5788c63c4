import type { exportWords } from '../../../locales/zh-CN/exports.ts'
import { drawDiagram } from '../diagrams/diagrams.ts'
import { drawFormula } from '../formulas.ts'
import { highlight } from '../highlight.ts'
import { loadRenderer } from '../render/load.ts'
import { madeHtml } from '../../../lib/browser/trusted-types.ts'
import { fetchPicture } from './pictures.ts'

export type ExportWords = typeof exportWords

export interface DrawnDocument {
  /** Root element, which does not depend on the page. Formulas are MathML; diagrams and images are data URLs. */
  readonly root: HTMLElement
  /** Number of images that could not be read. */
  readonly leftOut: number
}

export const fill = (word: string, values: Readonly<Record<string, string | number>>): string =>
  word.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

/** Draws formulas as MathML, which word processors and browsers render with their own fonts. */
async function drawFormulas(root: HTMLElement): Promise<void> {
  for (const code of root.querySelectorAll('code.language-math, code.language-math-display')) {
    const block = code.closest('pre')
    const isDisplay = block !== null || code.className.endsWith('-display')
    // A faulty formula stays as source.
    const html = await drawFormula(code.textContent.trim(), isDisplay, 'mathml').catch(() => null)
    if (html === null) continue
    const place = document.createElement(block ? 'p' : 'span')
    place.className = block ? 'formula' : ''
    place.innerHTML = madeHtml(html)
    const target = block ?? code
    target.replaceWith(place)
  }
}

async function drawDiagrams(root: HTMLElement): Promise<void> {
  for (const code of root.querySelectorAll('pre > code.language-mermaid')) {
    const diagram = await drawDiagram(code.textContent, false).catch(() => null)
    if (!diagram) continue
    const image = new Image(diagram.width, diagram.height)
    image.src = diagram.url
    image.alt = code.textContent
    image.className = 'diagram'
    code.parentElement?.replaceWith(image)
  }
}

async function colourCode(root: HTMLElement): Promise<void> {
  for (const code of root.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')) {
    const html = await highlight(code.textContent, code.className.slice('language-'.length)).catch(() => null)
    // The highlighter escapes its input.
    if (html !== null) code.innerHTML = madeHtml(html)
  }
}

/**
 * Replaces image URLs with data URLs, and images that cannot be read with links.
 * @returns the number of images that cannot be read
 */
async function bringPictures(root: HTMLElement, words: ExportWords): Promise<number> {
  let leftOut = 0
  for (const image of root.querySelectorAll('img')) {
    const picture = image.className === 'diagram' ? image.src : await fetchPicture(image.src)
    for (const name of ['loading', 'decoding', 'referrerpolicy']) image.removeAttribute(name)
    if (picture !== null) image.src = picture
    else {
      leftOut += 1
      image.replaceWith(link(image.src, fill(words.picture, { name: image.alt || image.src })))
    }
  }
  return leftOut
}

function link(address: string, text: string): HTMLElement {
  const made = document.createElement('a')
  made.href = address
  made.textContent = `[${text}]`
  return made
}

/**
 * Adapts a text to a standalone document. Recordings become links, links become absolute, details are opened, and
 * footnotes get a heading.
 */
function settle(root: HTMLElement, words: ExportWords): void {
  for (const media of root.querySelectorAll<HTMLMediaElement>('video, audio')) {
    media.replaceWith(link(media.src, fill(words.media, { name: media.title || media.src })))
  }
  for (const anchor of root.querySelectorAll('a')) {
    const isInside = anchor.getAttribute('href')?.startsWith('#')
    if (!isInside) anchor.setAttribute('href', anchor.href)
  }
  for (const details of root.querySelectorAll('details')) details.open = true
  const notes = root.querySelector('ol.footnotes')
  if (!notes) return
  const title = document.createElement('h2')
  title.textContent = words.footnotes
  title.className = 'footnotes-title'
  notes.before(title)
}

/** Renders a complete text for export. */
export async function drawDocument(text: string, words: ExportWords): Promise<DrawnDocument> {
  const root = document.implementation.createHTMLDocument().createElement('article')
  const { renderMarkdown } = await loadRenderer()
  // The renderer has sanitised this HTML.
  root.innerHTML = madeHtml(renderMarkdown(text).html)
  document.adoptNode(root)
  settle(root, words)
  await drawFormulas(root)
  await drawDiagrams(root)
  await colourCode(root)
  const leftOut = await bringPictures(root, words)
  return { root, leftOut }
}
