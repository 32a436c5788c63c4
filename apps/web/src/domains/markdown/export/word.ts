import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  type FileChild,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  type IRunOptions,
  Packer,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { DrawnDocument } from './drawn-document.ts'
import { toEquation } from './equations.ts'
import { toPng } from './pictures.ts'
import { hasRightToLeft, isRightToLeft, partsByDirection } from '../../../lib/text/right-to-left.ts'
import {
  indentOf,
  LEVELS,
  LIST_CONTINUE_STYLES,
  listContinueStyle,
  numberingOf,
  type OrderedList,
  propertiesOf,
} from './word-frame.ts'

const MONO = 'Consolas'
/** Style name that other programs also use for code. */
const CODE_STYLE = 'SourceCode'
const TINT = { type: ShadingType.CLEAR, fill: 'F2F4F1', color: 'auto' } as const
const PAGE_WIDTH_PX = 600
const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]

/** Run properties that depend on the elements around a text. */
type Look = Omit<IRunOptions, 'text' | 'children'>

const LOOKS: Readonly<Record<string, Look>> = {
  strong: { bold: true },
  em: { italics: true },
  s: { strike: true },
  del: { strike: true },
  code: { font: MONO, shading: TINT },
  mark: { highlight: 'yellow' },
  sup: { superScript: true },
  sub: { subScript: true },
  kbd: { font: MONO, shading: TINT },
  a: { color: '256E35', underline: {} },
}

/** A list item. Its first paragraph has the number or bullet. */
interface ListItem {
  readonly reference: string
  hasSign: boolean
}

/** Context of a block. */
interface Place {
  readonly level: number
  readonly isQuote: boolean
  readonly item?: ListItem
}

const QUOTE_INDENT = 360

/** Returns the list properties of a paragraph. Later paragraphs of an item are indented like the first one. */
function inList({ level, isQuote, item }: Place) {
  if (!item) return isQuote ? { indent: { left: QUOTE_INDENT } } : {}
  if (item.hasSign) {
    const style = listContinueStyle(level)
    return isQuote ? { style, indent: { left: indentOf(level) + QUOTE_INDENT } } : { style }
  }
  item.hasSign = true
  return { numbering: { reference: item.reference, instance: 0, level: Math.min(level, LEVELS - 1) } }
}

class WordWriter {
  readonly orderedLists: OrderedList[] = []
  /** Footnotes that the text references, by number. Word numbers them in the same order. */
  readonly footnotes: Record<string, { readonly children: readonly Paragraph[] }> = {}
  readonly #notes: Map<string, Element>
  #isInNote = false

  /** @param notes the notes by ID. Notes that become footnotes are removed from this map. */
  constructor(notes: Map<string, Element>) {
    this.#notes = notes
  }

  /**
   * Turns the first reference to a note into a footnote. Returns `null` for later references, for references inside
   * notes, and for notes that contain more than paragraphs. These references become plain numbers.
   */
  private async mention(link: Element): Promise<ParagraphChild | null> {
    const id = link.getAttribute('href')?.slice(1) ?? ''
    const note = this.#notes.get(id)
    const number = Number(link.textContent)
    if (!note || this.#isInNote || !Number.isInteger(number)) return null
    this.#isInNote = true
    const children = await this.blocks(note, { level: 0, isQuote: false })
    this.#isInNote = false
    // The library supports only paragraphs in footnotes. A note with other content stays at the end of the document.
    if (!children.every((child) => child instanceof Paragraph)) return null
    this.#notes.delete(id)
    this.footnotes[number] = { children }
    return new FootnoteReferenceRun(number)
  }

  async runs(nodes: Iterable<Node>, look: Look = {}): Promise<ParagraphChild[]> {
    const parts: ParagraphChild[] = []
    for (const node of nodes) parts.push(...(await this.run(node, look)))
    return parts
  }

  private async run(node: Node, look: Look): Promise<ParagraphChild[]> {
    if (node instanceof Text) {
      const text = node.data.replaceAll(/\s+/g, ' ')
      if (!hasRightToLeft(text)) return text ? [new TextRun({ ...look, text })] : []
      return partsByDirection(text).map(
        (part) => new TextRun({ ...look, text: part.text, ...(part.isRightToLeft && { rightToLeft: true }) }),
      )
    }
    if (!(node instanceof Element)) return []
    const name = node.localName
    if (name === 'math') return [toEquation(node)]
    if (name === 'br') return [new TextRun({ ...look, break: 1 })]
    if (node instanceof HTMLInputElement) return [new TextRun({ ...look, text: node.checked ? '☑' : '☐' })]
    if (node instanceof HTMLImageElement) return this.picture(node)
    const note = node.className === 'footnote-ref' ? await this.mention(node) : null
    if (note) return [note]
    const leadsOut =
      node instanceof HTMLAnchorElement && /^(?:https?|mailto|tel):/.test(node.getAttribute('href') ?? '')
    // Links within the document become plain text, because their targets exist only on the page.
    const own = name === 'a' && !leadsOut ? {} : LOOKS[name]
    if (node.className === 'footnote-back') return []
    const children = await this.runs(node.childNodes, { ...look, ...own })
    return leadsOut ? [new ExternalHyperlink({ children, link: node.href })] : children
  }

  private async picture(image: HTMLImageElement): Promise<ParagraphChild[]> {
    const png = await toPng(image.src)
    if (!png) return [new TextRun({ text: `[${image.alt || image.src}]` })]
    const scale = Math.min(1, PAGE_WIDTH_PX / png.width)
    const transformation = { width: Math.round(png.width * scale), height: Math.round(png.height * scale) }
    const altText = { name: image.alt.slice(0, 200), description: image.alt.slice(0, 2000) }
    return [new ImageRun({ type: 'png', data: png.bytes, transformation, altText })]
  }

  async blocks(parent: Element, place: Place): Promise<FileChild[]> {
    const made: FileChild[] = []
    let inline: Node[] = []
    const flush = async () => {
      const children = inline.every(isBlank) ? [] : await this.runs(inline)
      const words = wordsOf(inline)
      inline = []
      if (children.length > 0) made.push(this.paragraph(children, place, words))
    }
    for (const node of parent.childNodes) {
      if (!(node instanceof Element) || !BLOCKS.has(node.localName)) {
        inline.push(node)
        continue
      }
      await flush()
      made.push(...(await this.block(node, place)))
    }
    await flush()
    return made
  }

  private paragraph(children: readonly ParagraphChild[], place: Place, words: string): Paragraph {
    const border = { style: BorderStyle.SINGLE, size: 18, color: '868F88', space: 8 }
    return new Paragraph({
      children,
      spacing: { after: 120 },
      ...inList(place),
      ...(place.isQuote && { border: { left: border } }),
      ...directionOf(words),
    })
  }

  private async block(element: Element, place: Place): Promise<FileChild[]> {
    const name = element.localName
    const heading = /^h([1-6])$/.exec(name)
    if (name === 'h2' && element.className === 'footnotes-title' && this.#notes.size === 0) return []
    if (heading) {
      const children = await this.runs(element.childNodes)
      const level = HEADINGS[Number(heading[1]) - 1]!
      return [new Paragraph({ children, heading: level, ...directionOf(element.textContent) })]
    }
    if (name === 'ul' || name === 'ol') return this.list(element, place)
    if (name === 'blockquote') return this.blocks(element, { ...place, isQuote: true })
    if (name === 'pre') return [codeBlock(element, place)]
    if (name === 'table') return this.table(element as HTMLTableElement)
    if (name === 'hr') {
      const bottom = { style: BorderStyle.SINGLE, size: 6, color: 'D0D5CF' }
      return [new Paragraph({ border: { bottom } })]
    }
    if (name === 'nav' || name === 'details') return this.blocks(element, place)
    const look = name === 'summary' ? { bold: true } : {}
    const children = [...element.childNodes].every(isBlank) ? [] : await this.runs(element.childNodes, look)
    return children.length > 0 ? [this.paragraph(children, place, element.textContent)] : []
  }

  private numbersFrom(start: number): string {
    const reference = `numbers-${this.orderedLists.length}`
    this.orderedLists.push({ reference, start })
    return reference
  }

  private async list(element: Element, place: Place): Promise<FileChild[]> {
    const made: FileChild[] = []
    const level = place.item ? place.level + 1 : 0
    const areNotes = element.className === 'footnotes'
    const first = element instanceof HTMLOListElement ? element.start : null
    const numbers = first === null ? 'bullets' : this.numbersFrom(first)
    for (const [index, item] of [...element.children].entries()) {
      // A note that did not become a footnote keeps its number.
      if (areNotes && !this.#notes.has(item.id)) continue
      const isTask = item.firstElementChild instanceof HTMLInputElement
      const reference = isTask ? 'tasks' : areNotes ? this.numbersFrom((first ?? 1) + index) : numbers
      made.push(...(await this.blocks(item, { ...place, level, item: { reference, hasSign: false } })))
    }
    return made
  }

  private async table(element: HTMLTableElement): Promise<FileChild[]> {
    const rows: TableRow[] = []
    for (const row of element.rows) {
      const cells: TableCell[] = []
      for (const cell of row.cells) {
        const direction = directionOf(cell.textContent)
        const alignment = ALIGNMENTS[cell.align] ?? AlignmentType.START
        const isHead = cell.localName === 'th'
        const children = await this.runs(cell.childNodes, isHead ? { bold: true } : {})
        const paragraph = new Paragraph({ children, alignment, ...direction })
        cells.push(
          new TableCell({ children: [paragraph], margins: CELL_MARGINS, ...(isHead && { shading: TINT }) }),
        )
      }
      rows.push(new TableRow({ children: cells, tableHeader: row.parentElement?.localName === 'thead' }))
    }
    if (rows.length === 0) return []
    const table = new Table({
      rows,
      width: { size: 100, type: WidthType.PERCENTAGE },
      visuallyRightToLeft: isRightToLeft(element.textContent),
    })
    return [table, new Paragraph({ spacing: { after: 120 } })]
  }
}

/** Whether a node is blank. Back links of notes count as blank. */
const isBlank = (node: Node) =>
  node instanceof Text
    ? node.data.trim() === ''
    : node instanceof Element && node.className === 'footnote-back'

const BLOCKS = new Set('h1 h2 h3 h4 h5 h6 p ul ol blockquote pre table hr nav div details summary'.split(' '))
const CELL_MARGINS = { top: 60, bottom: 60, left: 120, right: 120 }

const ALIGNMENTS: Readonly<Record<string, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
}

const directionOf = (words: string) => (isRightToLeft(words) ? { bidirectional: true } : {})
const wordsOf = (nodes: readonly Node[]): string => nodes.map(({ textContent }) => textContent).join('')

/** Returns a shaded paragraph in a monospaced font, without syntax colours. Line breaks separate the lines of code. */
function codeBlock(element: Element, place: Place): Paragraph {
  const lines = element.textContent.replace(/\n$/, '').split('\n')
  const children = lines.map(
    (text, index) => new TextRun({ text, font: MONO, size: 19, ...(index > 0 && { break: 1 }) }),
  )
  return new Paragraph({
    children,
    ...(place.item?.hasSign && { indent: { left: indentOf(place.level) } }),
    ...inList(place),
    style: CODE_STYLE,
    shading: TINT,
    spacing: { after: 120 },
  })
}

/** Converts a rendered text to a Word document: headings, lists, tables, code, images, equations and footnotes. */
export async function toWord({ root }: DrawnDocument, title: string): Promise<Blob> {
  const notes = [...root.querySelectorAll('ol.footnotes > li')].map((note) => [note.id, note] as const)
  const writer = new WordWriter(new Map(notes))
  const children = await writer.blocks(root, { level: 0, isQuote: false })
  const file = new Document({
    title,
    ...propertiesOf(root),
    footnotes: writer.footnotes,
    numbering: { config: numberingOf(writer.orderedLists) },
    styles: {
      default: { document: { run: { font: { ascii: 'Calibri', eastAsia: 'Microsoft YaHei' }, size: 22 } } },
      paragraphStyles: [
        { id: CODE_STYLE, name: 'Source Code', basedOn: 'Normal', run: { font: MONO } },
        ...LIST_CONTINUE_STYLES,
      ],
    },
    sections: [{ children }],
  })
  return Packer.toBlob(file)
}
