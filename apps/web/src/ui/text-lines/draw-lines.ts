import { nextTurn } from '../../lib/browser/scheduling.ts'
import { isRightToLeft } from '../../lib/text/right-to-left.ts'
import './text-lines.css'

/** Blocks are laid out only when they come near the screen. */
const BLOCK_LINES = 100
/** Drawn before the page answers again. */
const TURN_BLOCKS = 30
/** A line that is longer is shown in pieces: laying out megabytes as one would stop the page. */
const PIECE_CHARACTERS = 5000

interface DrawLines {
  /** Aborted when the text is no longer shown. */
  readonly signal: AbortSignal
  /** The line to be there at once, from 1. */
  readonly until?: number
}

/** Lines that are there so far: the element of line n stands at n - 1. */
export type DrawnLines = readonly HTMLElement[]

/** Where lines do not wrap, their words are beside their numbers. */
function apart(text: string): HTMLElement {
  const words = document.createElement('bdi')
  words.textContent = text
  return words
}

function made(className: string, text: string): HTMLElement {
  const element = document.createElement('div')
  element.className = className
  // So that an empty line is copied as one.
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
 * Puts a text into `root` with numbered lines, the first of them at once and the others in turns.
 * @returns the elements, which become more until all are there.
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
    // On a line: what a block says of counters does not hold inside of it.
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
