import { nextTurn } from '../../lib/browser/scheduling.ts'
import { isRightToLeft } from '../../lib/text/right-to-left.ts'
import './text-lines.css'

/** Lines per block. Browsers lay out a block only near the viewport. */
const BLOCK_LINES = 100
/** Number of blocks that are rendered before the event loop continues. */
const TURN_BLOCKS = 30
/**
 * Longer lines are split into pieces of this length, because laying out a line of several megabytes at once would block
 * the page.
 */
const PIECE_CHARACTERS = 5000

interface DrawLines {
  /** Aborts the rendering when the text is removed. */
  readonly signal: AbortSignal
  /** Number of a line that must be rendered synchronously, from 1. */
  readonly until?: number
}

/** The lines that are rendered so far; line n has the index n - 1. */
export type DrawnLines = readonly HTMLElement[]

/** Creates a separate element for the text. If lines do not wrap, this element is beside the line number. */
function apart(text: string): HTMLElement {
  const words = document.createElement('bdi')
  words.textContent = text
  return words
}

function made(className: string, text: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  // The `br` keeps an empty line in copied text.
  if (text === '') element.append(document.createElement('br'))
  else if (isRightToLeft(text)) element.append(apart(text))
  else element.textContent = text
  return element
}

function addLine(block: HTMLElement, text: string): HTMLElement {
  const line = made('dl-line', text.slice(0, PIECE_CHARACTERS))
  block.append(line)
  for (let start = PIECE_CHARACTERS; start < text.length; start += PIECE_CHARACTERS)
    block.append(made('dl-line-rest', text.slice(start, start + PIECE_CHARACTERS)))
  return line
}

/**
 * Renders a text with line numbers into `root`, the first lines synchronously.
 * @returns the lines; the list grows until the text is complete
 */
export function drawLines(root: HTMLElement, text: string, { signal, until = 1 }: DrawLines): DrawnLines {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const drawn: HTMLElement[] = []
  root.classList.add('dl-lines')
  root.style.setProperty('--dl-line-digits', String(String(lines.length).length))
  root.replaceChildren()
  const drawBlock = () => {
    const start = drawn.length
    const block = document.createElement('div')
    block.className = 'dl-line-block'
    for (const line of lines.slice(start, start + BLOCK_LINES)) drawn.push(addLine(block, line))
    // The counter is set on a line, because with `contain` a counter on the block does not apply inside the block.
    const first = drawn[start]
    if (first) first.style.counterReset = `dl-line ${start}`
    block.style.setProperty('--dl-line-count', String(drawn.length - start))
    root.append(block)
  }
  const drawTurn = () => {
    for (let turn = 0; turn < TURN_BLOCKS && drawn.length < lines.length; turn += 1) drawBlock()
  }
  const drawRest = async () => {
    while (drawn.length < lines.length) {
      await nextTurn()
      if (signal.aborted) return
      drawTurn()
    }
  }
  do drawTurn()
  while (drawn.length < Math.min(until, lines.length))
  drawRest().catch(reportError)
  return drawn
}
