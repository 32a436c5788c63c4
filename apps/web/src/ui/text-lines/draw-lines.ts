import { nextTurn } from '../../lib/browser/scheduling.ts'
import { isRightToLeft } from '../../lib/text/right-to-left.ts'
import './text-lines.css'

/** Blocks are laid out near the viewport. */
const BLOCK_LINES = 100
/** Number of blocks between yields to the page. */
const TURN_BLOCKS = 30
/** Lines are split into pieces of this length: layout of a line of megabytes would block the page. */
const PIECE_CHARACTERS = 5000

interface DrawLines {
  /** Aborted when the text is removed. */
  readonly signal: AbortSignal
  /** A line that must be rendered synchronously, from 1. */
  readonly until?: number
}

/** The lines so far: the element of line n is at n - 1. */
export type DrawnLines = readonly HTMLElement[]

/** Without wrapping, the text is a separate element beside the number. */
function apart(text: string): HTMLElement {
  const words = document.createElement('bdi')
  words.textContent = text
  return words
}

function made(className: string, text: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  // An empty line is copied as one.
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
 * @returns the elements, which grow until the text is complete.
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
    // Reset on a line, because with `contain` a counter of the block itself does not apply inside of it.
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
