import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  type FileChild,
  HeadingLevel,
  ImageRun,
  type IRunOptions,
  LevelFormat,
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

const MONO = 'Consolas'
/** The name by which other programs know code. */
const CODE_STYLE = 'SourceCode'
const TINT = { type: ShadingType.CLEAR, fill: 'F2F4F1', color: 'auto' } as const
const PAGE_WIDTH_PX = 600
const LEVELS = 9
const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
]

/** How runs look by the elements around them. */
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
  a: { color: '256E35', underline: {} },
}

/** Where blocks stand. */
interface Place {
  readonly level: number
  readonly isQuote: boolean
  readonly list?: { readonly reference: string; readonly instance: number }
}

interface OrderedList {
  readonly reference: string
  readonly start: number
}

class WordWriter {
  readonly orderedLists: OrderedList[] = []

  async runs(nodes: Iterable<Node>, look: Look = {}): Promise<ParagraphChild[]> {
    const parts: ParagraphChild[] = []
    for (const node of nodes) parts.push(...(await this.run(node, look)))
    return parts
  }

  private async run(node: Node, look: Look): Promise<ParagraphChild[]> {
    if (node instanceof Text) {
      const text = node.data.replaceAll(/\s+/g, ' ')
      return text ? [new TextRun({ ...look, text })] : []
    }
    if (!(node instanceof Element)) return []
    const name = node.localName
    if (name === 'math') return [toEquation(node)]
    if (name === 'br') return [new TextRun({ ...look, break: 1 })]
    if (node instanceof HTMLInputElement) return [new TextRun({ ...look, text: node.checked ? '☑' : '☐' })]
    if (node instanceof HTMLImageElement) return this.picture(node)
    const leadsOut =
      node instanceof HTMLAnchorElement && /^(?:https?|mailto|tel):/.test(node.getAttribute('href') ?? '')
    // Places inside of the text are for the page.
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
      const isBlank = inline.every((node) => node instanceof Text && node.data.trim() === '')
      const children = isBlank ? [] : await this.runs(inline)
      inline = []
      if (children.length > 0) made.push(this.paragraph(children, place))
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

  private paragraph(children: readonly ParagraphChild[], { level, isQuote, list }: Place): Paragraph {
    const border = { style: BorderStyle.SINGLE, size: 18, color: '868F88', space: 8 }
    return new Paragraph({
      children,
      spacing: { after: 120 },
      ...(list && { numbering: { ...list, level: Math.min(level, LEVELS - 1) } }),
      ...(isQuote && { border: { left: border }, indent: { left: 360 } }),
    })
  }

  private async block(element: Element, place: Place): Promise<FileChild[]> {
    const name = element.localName
    const heading = /^h([1-6])$/.exec(name)
    if (heading) {
      const children = await this.runs(element.childNodes)
      return [new Paragraph({ children, heading: HEADINGS[Number(heading[1]) - 1]! })]
    }
    if (name === 'ul' || name === 'ol') return this.list(element, place)
    if (name === 'blockquote') return this.blocks(element, { ...place, isQuote: true })
    if (name === 'pre') return [codeBlock(element)]
    if (name === 'table') return this.table(element as HTMLTableElement)
    if (name === 'hr') {
      const bottom = { style: BorderStyle.SINGLE, size: 6, color: 'D0D5CF' }
      return [new Paragraph({ border: { bottom } })]
    }
    if (name === 'nav') return this.blocks(element, place)
    const children = await this.runs(element.childNodes)
    return children.length > 0 ? [this.paragraph(children, place)] : []
  }

  private async list(element: Element, place: Place): Promise<FileChild[]> {
    const made: FileChild[] = []
    const level = place.list ? place.level + 1 : 0
    let reference = 'bullets'
    if (element instanceof HTMLOListElement) {
      reference = `numbers-${this.orderedLists.length}`
      this.orderedLists.push({ reference, start: element.start })
    }
    for (const item of element.children) {
      const isTask = item.firstElementChild instanceof HTMLInputElement
      const inItem: Place = { ...place, level, list: { reference, instance: 0 } }
      const blocks = await this.blocks(
        item,
        isTask ? { ...inItem, list: { reference: 'tasks', instance: 0 } } : inItem,
      )
      made.push(...blocks)
    }
    return made
  }

  private async table(element: HTMLTableElement): Promise<FileChild[]> {
    const rows: TableRow[] = []
    for (const row of element.rows) {
      const cells: TableCell[] = []
      for (const cell of row.cells) {
        const alignment = ALIGNMENTS[cell.align] ?? AlignmentType.START
        const isHead = cell.localName === 'th'
        const children = await this.runs(cell.childNodes, isHead ? { bold: true } : {})
        const paragraph = new Paragraph({ children, alignment })
        cells.push(
          new TableCell({ children: [paragraph], margins: CELL_MARGINS, ...(isHead && { shading: TINT }) }),
        )
      }
      rows.push(new TableRow({ children: cells, tableHeader: row.parentElement?.localName === 'thead' }))
    }
    if (rows.length === 0) return []
    const table = new Table({ rows, width: { size: 100, type: WidthType.PERCENTAGE } })
    return [table, new Paragraph({ spacing: { after: 120 } })]
  }
}

const BLOCKS = new Set('h1 h2 h3 h4 h5 h6 p ul ol blockquote pre table hr nav div'.split(' '))
const CELL_MARGINS = { top: 60, bottom: 60, left: 120, right: 120 }
const ALIGNMENTS: Readonly<Record<string, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
}

/** One paragraph on a tinted ground, a line break for each line, with the colours of its language. */
function codeBlock(element: Element): Paragraph {
  const lines = element.textContent.replace(/\n$/, '').split('\n')
  const children = lines.map(
    (text, index) => new TextRun({ text, font: MONO, size: 19, ...(index > 0 && { break: 1 }) }),
  )
  return new Paragraph({ children, style: CODE_STYLE, shading: TINT, spacing: { after: 120 } })
}

const indentOf = (level: number) => ({
  paragraph: { indent: { left: 480 * (level + 1), hanging: 300 } },
})

function numberingOf(lists: readonly OrderedList[]) {
  const levels = Array.from({ length: LEVELS }, (_, level) => level)
  const plain = (reference: string, text: string) => ({
    reference,
    levels: levels.map((level) => ({ level, format: LevelFormat.BULLET, text, style: indentOf(level) })),
  })
  const ordered = lists.map(({ reference, start }) => ({
    reference,
    levels: levels.map((level) => ({
      level,
      format: LevelFormat.DECIMAL,
      text: `%${level + 1}.`,
      start,
      style: indentOf(level),
    })),
  }))
  return [plain('bullets', '•'), plain('tasks', ''), ...ordered]
}

/** A drawn text as a Word document: headings, lists, tables, code, pictures, and formulas as equations. */
export async function toWord({ root }: DrawnDocument, title: string): Promise<Blob> {
  const writer = new WordWriter()
  const children = await writer.blocks(root, { level: 0, isQuote: false })
  const file = new Document({
    title,
    numbering: { config: numberingOf(writer.orderedLists) },
    styles: {
      default: { document: { run: { font: { ascii: 'Calibri', eastAsia: 'Microsoft YaHei' }, size: 22 } } },
      paragraphStyles: [{ id: CODE_STYLE, name: 'Source Code', basedOn: 'Normal', run: { font: MONO } }],
    },
    sections: [{ children }],
  })
  return Packer.toBlob(file)
}
