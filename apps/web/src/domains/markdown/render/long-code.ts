import { nextIdleTurn } from '../../../lib/browser/scheduling.ts'

/** Length above which code is divided into parts. `highlight.ts` does not highlight code above the same length. */
const LONG_CODE = 100_000
const PART_CHARACTERS = 6000
/** Length above which a line wraps, because laying out a line of several megabytes would block the page. */
const LINE_MAX_CHARACTERS = 12_000
/**
 * Maximum length of a row. The browser lays out each row completely, even if most of it is hidden, so long rows would
 * be slow.
 */
const ROW_CHARACTERS = 400

interface Part {
  readonly text: string
  /** Whether the part belongs to a single long line, which wraps after a fixed number of characters. */
  readonly isOneLine: boolean
}

/** Moves a position so that it does not split a code point. */
function wholeEnd(text: string, end: number): number {
  const unit = text.charCodeAt(end)
  return unit >= 0xdc_00 && unit <= 0xdf_ff ? end - 1 : end
}

function* cutCode(text: string): Generator<Part> {
  let wasOneLine = false
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start + PART_CHARACTERS)
    const end = newline === -1 ? text.length : newline + 1
    const goesOn = end - start > LINE_MAX_CHARACTERS
    const isOneLine: boolean = goesOn || (wasOneLine && text[start - 1] !== '\n')
    const part = text.slice(start, goesOn ? wholeEnd(text, start + PART_CHARACTERS) : end)
    yield { text: part, isOneLine }
    start += part.length
    wasOneLine = isOneLine
  }
}

function* cutRows(text: string): Generator<string> {
  for (const line of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
    for (let start = 0; start < line.length;) {
      const row = line.slice(start, wholeEnd(line, start + ROW_CHARACTERS))
      yield row
      start += row.length
    }
  }
}

function rowElement(text: string): HTMLElement {
  const row = document.createElement('span')
  row.className = 'dl-code-row'
  row.textContent = text
  return row
}

function cutIntoRows(part: HTMLElement): void {
  part.replaceChildren(...[...cutRows(part.textContent)].map(rowElement))
}

/** Number of parts of a long line that are cut into rows synchronously. The viewport shows fewer parts. */
const ROWS_AT_ONCE = 8
const TURN_MS = 6

/** Cuts parts into rows and yields in between. After fast scrolling, a line can briefly look incomplete. */
async function cutInTurns(parts: readonly HTMLElement[]): Promise<void> {
  let turnEndsAt = 0
  for (const part of parts) {
    if (performance.now() >= turnEndsAt) {
      await nextIdleTurn()
      turnEndsAt = performance.now() + TURN_MS
    }
    if (!part.isConnected) return
    cutIntoRows(part)
  }
}

function partElement({ text, isOneLine }: Part): HTMLElement {
  const part = document.createElement('span')
  part.className = 'dl-code-part'
  part.textContent = text
  const lines = isOneLine ? [...cutRows(text)].length : text.replace(/\n$/, '').split('\n').length
  part.style.setProperty('--dl-lines', String(lines))
  return part
}

/**
 * Divides long code into parts that are laid out only near the viewport. Concatenating the texts of the parts gives
 * the code.
 */
export function divideLongCode(root: ParentNode): void {
  const later: HTMLElement[] = []
  for (const code of root.querySelectorAll('pre > code')) {
    const text = code.textContent
    if (text.length <= LONG_CODE) continue
    const cut: HTMLElement[] = []
    const parts = [...cutCode(text)].map((part) => {
      const element = partElement(part)
      if (part.isOneLine) cut.push(element)
      return element
    })
    for (const part of cut.slice(0, ROWS_AT_ONCE)) cutIntoRows(part)
    later.push(...cut.slice(ROWS_AT_ONCE))
    code.replaceChildren(...parts)
  }
  if (later.length > 0) cutInTurns(later).catch(reportError)
}
