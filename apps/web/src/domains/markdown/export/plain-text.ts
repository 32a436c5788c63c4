/** Elements that start a new line (`LINES`), and elements that also need a blank line around them (`BLOCKS`). */
const LINES = new Set('LI TR CAPTION DT DD DIV'.split(' '))
const BLOCKS = new Set(
  'P H1 H2 H3 H4 H5 H6 UL OL BLOCKQUOTE PRE TABLE NAV HR ARTICLE FIGURE DETAILS SUMMARY'.split(' '),
)
const CELLS = new Set(['TD', 'TH'])

class Writer {
  #out = ''
  /** Number of line ends to write before the next word. */
  #ends = 0

  break(count: number): void {
    this.#ends = Math.max(this.#ends, count)
  }

  #flush(): void {
    if (this.#out !== '' && this.#ends > 0) this.#out = this.#out.replace(/ $/, '') + '\n'.repeat(this.#ends)
    this.#ends = 0
  }

  add(text: string, isExact: boolean): void {
    const isAtStart = this.#ends > 0 || this.#out === '' || /[\n\t ]$/.test(this.#out.slice(-1))
    const shown = isExact ? text : text.replaceAll(/\s+/g, ' ').replace(isAtStart ? /^ / : /^$/, '')
    if (shown === '') return
    this.#flush()
    this.#out += shown
  }

  /** Writes a tab between cells, including empty ones. */
  tab(): void {
    this.#flush()
    this.#out = `${this.#out.replace(/ $/, '')}\t`
  }

  end(): string {
    return `${this.#out.trim()}\n`
  }
}

function write(node: Node, writer: Writer): void {
  if (node.nodeType === Node.TEXT_NODE) return writer.add(node.nodeValue ?? '', false)
  if (!(node instanceof Element)) return
  const name = node.tagName.toUpperCase()
  if (name === 'BR') return writer.break(1)
  if (name === 'MATH') {
    return writer.add(node.querySelector('annotation')?.textContent ?? node.textContent, true)
  }
  // Blocks inside list items and table cells have no blank lines around them.
  const isInner = node.closest('li, td, th') !== null
  const lines = BLOCKS.has(name) ? (isInner ? 1 : 2) : LINES.has(name) ? 1 : 0
  if (CELLS.has(name) && node.previousElementSibling) writer.tab()
  writer.break(lines)
  if (name === 'PRE') writer.add(node.textContent.replace(/\n+$/, ''), true)
  else for (const child of node.childNodes) write(child, writer)
  writer.break(lines)
}

/**
 * Returns the text with blank lines between blocks, one line per list item and table row, cells separated by tabs, and
 * formulas as source.
 */
export function toPlainText(root: Element): string {
  const writer = new Writer()
  write(root, writer)
  return writer.end()
}
