import { type Diagram, DiagramError, diagramBefore, drawDiagram } from '../../diagrams/diagrams.ts'
import type { Enhancement } from './enhance.ts'
import './diagrams.css'
import { type ReadingWords, fill } from './words.ts'

const isDarkNow = () => document.documentElement.dataset['mantineColorScheme'] === 'dark'

function reasonText({ message }: DiagramError, words: ReadingWords): string {
  if (message === 'address') return words.diagramAddress
  return message === 'too-long' ? words.diagramTooLong : message
}

function put(image: HTMLImageElement, { url, width, height }: Diagram): void {
  image.src = url
  image.dataset['dark'] = String(isDarkNow())
  image.width = width
  image.height = height
  image.style.setProperty('--dl-natural-width', `${width}px`)
}

/** Replaces the source with the image, and adds a button that shows the source again. */
function place(block: HTMLPreElement, source: string, diagram: Diagram, enhancement: Enhancement): void {
  const { words, signal } = enhancement
  const figure = document.createElement('figure')
  figure.className = 'dl-diagram'
  const image = document.createElement('img')
  image.alt = words.diagram
  put(image, diagram)
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.className = 'dl-code-copy'
  toggle.textContent = words.diagramSource
  toggle.setAttribute('aria-pressed', 'false')
  toggle.addEventListener('click', () => {
    const isSource = figure.dataset['source'] !== 'true'
    figure.dataset['source'] = String(isSource)
    toggle.setAttribute('aria-pressed', String(isSource))
  })
  block.replaceWith(figure)
  const picture = document.createElement('div')
  picture.className = 'dl-diagram-picture'
  picture.append(image)
  figure.append(picture, block, toggle)
  enhancement.onPicture(image)
  followTheme(image, source, signal)
}

/**
 * Switches the image when the colour scheme changes. The images of both schemes have the same size, so the layout does
 * not shift.
 */
function followTheme(image: HTMLImageElement, source: string, signal: AbortSignal): void {
  let shown = isDarkNow()
  const observer = new MutationObserver(() => {
    if (shown === isDarkNow()) return
    shown = isDarkNow()
    drawDiagram(source, shown).then(
      (diagram) => put(image, diagram),
      () => undefined,
    )
  })
  observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
  signal.addEventListener('abort', () => observer.disconnect())
}

const begun = new WeakSet<HTMLPreElement>()

/** Draws the diagram of a block. Does nothing if drawing has already started. */
export async function drawBlock(block: HTMLPreElement, enhancement: Enhancement): Promise<void> {
  if (begun.has(block)) return
  begun.add(block)
  const source = block.textContent
  try {
    const diagram = await drawDiagram(source, isDarkNow())
    if (!enhancement.signal.aborted) place(block, source, diagram, enhancement)
  } catch (error) {
    // If loading the library has failed, the next attempt can succeed.
    if (!(error instanceof DiagramError)) begun.delete(block)
    if (!(error instanceof DiagramError) || enhancement.signal.aborted) return
    const note = document.createElement('p')
    note.className = 'dl-failed-note dl-diagram-failed'
    note.textContent = fill(enhancement.words.diagramFailed, { reason: reasonText(error, enhancement.words) })
    block.after(note)
  }
}

export function enhanceDiagrams(root: HTMLElement, enhancement: Enhancement): void {
  for (const code of root.querySelectorAll('pre > code.language-mermaid')) {
    const block = code.parentElement as HTMLPreElement
    const source = code.textContent
    if (begun.has(block)) continue
    const before = diagramBefore(source, isDarkNow())
    if (before) place(block, source, before, enhancement)
    else enhancement.near.add(block, () => drawBlock(block, enhancement))
  }
}
