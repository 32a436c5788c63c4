import type { Mark, Node } from 'prosemirror-model'
import { formatTable } from '../code-mirror/table-source.ts'
import { docOf, parseText, type ParsedText } from './from-markdown.ts'

/**
 * How much to escape. `light` leaves text as it is; only `|` in tables and `#` at the end of headings are escaped.
 * `full` escapes all characters that could have a meaning.
 */
type Care = 'light' | 'full'

type Wrap = readonly [begin: string, end: string]

const tag = (name: string): Wrap => [`<${name}>`, `</${name}>`]

const WRAPS: Readonly<Record<string, Wrap>> = {
  strong: ['**', '**'],
  em: ['*', '*'],
  strike: ['~~', '~~'],
  highlight: ['==', '=='],
  key: tag('kbd'),
  sub: tag('sub'),
  sup: tag('sup'),
}

/**
 * Escapes `]` only in the text of a link or image, where it would end the text. Uses an entity, because `\]` would end
 * a formula that `\[` starts.
 */
const writeEnd = (text: string, isInLink: boolean) => (isInLink ? text.replaceAll(']', '&#93;') : text)

function escapeText(text: string, care: Care): string {
  if (care === 'light') return text
  return text
    .replaceAll(/[\\*`[$~]|==|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
}

const LINE_SIGN = /^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-+\s*$|\||:?-)/gm

function escapeStarts(text: string, care: Care): string {
  if (care === 'light') return text
  return text.replaceAll(LINE_SIGN, '$1\\$2').replaceAll(/^(\s*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
}

function codeSpan(text: string): string {
  const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length))
  let size = 1
  while (runs.has(size)) size += 1
  const fence = '`'.repeat(size)
  const isPadded = /^`|`$|^ .* $/.test(text)
  return isPadded ? `${fence} ${text} ${fence}` : fence + text + fence
}

const writeAddress = (address: string) =>
  /[\s()<>]/.test(address) ? `<${address.replaceAll(/[<>]/g, '\\$&')}>` : address
const writeTitle = (title: unknown) =>
  typeof title === 'string' ? ` "${title.replaceAll(/["\\]/g, '\\$&')}"` : ''

function leafText(node: Node, care: Care): string {
  switch (node.type.name) {
    case 'text': {
      const text = node.text ?? ''
      const isIn = (name: string) => node.marks.some(({ type }) => type.name === name)
      if (isIn('code')) return codeSpan(text)
      return writeEnd(escapeText(text, care), care === 'full' && isIn('link'))
    }
    case 'soft_break':
      return '\n'
    case 'hard_break':
      return String(node.attrs['source']) || '\\\n'
    case 'image': {
      const alt = writeEnd(escapeText(String(node.attrs['alt']), care), care === 'full')
      return `![${alt}](${writeAddress(String(node.attrs['src']))}${writeTitle(node.attrs['title'])})`
    }
    default:
      return String(node.attrs['source'] ?? '')
  }
}

/** Returns the syntax before and after the content of a mark. A link whose text is its URL becomes an autolink. */
function wrapOf({ type, attrs }: Mark, inner: string): readonly [string, string] {
  if (type.name !== 'link') return WRAPS[type.name] ?? ['', '']
  const href = String(attrs['href'])
  if (inner === href && /^\w+:\S+$/.test(inner)) return ['<', '>']
  return ['[', `](${writeAddress(href)}${writeTitle(attrs['title'])})`]
}

const wrapping = ({ marks }: Node) => marks.filter(({ type }) => type.name !== 'code')

/**
 * Returns the end (exclusive) of the run of nodes that starts at `from` and has the mark. The mark with the longest run
 * opens first.
 */
function reach(leaves: readonly Node[], from: number, mark: Mark): number {
  let end = from
  while (end < leaves.length && mark.isInSet(leaves[end]!.marks)) end += 1
  return end
}

interface Opened {
  readonly mark: Mark
  /** Offset in the output where the content of the mark starts. */
  readonly start: number
}

/** Writes inline content with its marks. Moves spaces at the ends of a mark outside, as Markdown requires. */
function inlineText(parent: Node, care: Care): string {
  const leaves: Node[] = []
  parent.forEach((leaf) => leaves.push(leaf))
  let out = ''
  let open: Opened[] = []
  const close = (keep: number) => {
    for (const { mark, start } of open.slice(keep).toReversed()) {
      const content = out.slice(start)
      const inner = content.trimEnd()
      const [opener, end] = wrapOf(mark, inner)
      out = out.slice(0, start) + (inner === '' ? '' : opener + inner + end) + content.slice(inner.length)
    }
    open = open.slice(0, keep)
  }
  leaves.forEach((leaf, index) => {
    const isBlank = leaf.isText && (leaf.text ?? '').trim() === ''
    const wanted = wrapping(leaf)
    let keep = 0
    while (keep < open.length && open[keep]!.mark.isInSet(wanted)) keep += 1
    close(keep)
    const fresh = isBlank ? [] : wanted.filter((mark) => !open.some((opened) => opened.mark.eq(mark)))
    const text = leafText(leaf, care)
    const lead = leaf.isText ? (/^\s+/.exec(text)?.[0] ?? '') : ''
    out += lead
    for (const mark of fresh.toSorted(
      (one, other) => reach(leaves, index, other) - reach(leaves, index, one),
    )) {
      open.push({ mark, start: out.length })
    }
    out += text.slice(lead.length)
  })
  close(0)
  return out
}

const indent = (text: string, width: number) => text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`)

function children(node: Node): Node[] {
  const found: Node[] = []
  node.forEach((child) => found.push(child))
  return found
}

function listText(node: Node, care: Care, isAlternate: boolean): string {
  const isOrdered = node.type.name === 'ordered_list'
  const own = String(node.attrs['mark'])
  const other = isOrdered ? (own === '.' ? ')' : '.') : own === '-' ? '*' : '-'
  const mark = isAlternate ? other : own
  const items = children(node).map((item, index) => {
    const sign = isOrdered ? `${Number(node.attrs['order']) + index}${mark}` : mark
    const checked: unknown = item.attrs['checked']
    const box = checked === null ? '' : checked === true ? '[x] ' : '[ ] '
    const content = blocksText(children(item), care, node.attrs['isTight'] === true)
    return content === '' ? `${sign} ${box}`.trimEnd() : `${sign} ${box}${indent(content, sign.length + 1)}`
  })
  return items.join(node.attrs['isTight'] === true ? '\n' : '\n\n')
}

/** Joins the lines of a text, for blocks that allow only one line. */
const inOneLine = (text: string) => text.replaceAll('\\\n', '<br>').replaceAll('\n', ' ')

function tableText(node: Node, care: Care): string {
  const rows = children(node).map((row) => children(row))
  const delimiters = (rows[0] ?? []).map((cell) => {
    const align: unknown = cell.attrs['align']
    return align === 'center' ? ':-:' : align === 'right' ? '--:' : align === 'left' ? ':--' : '---'
  })
  const texts = rows.map((row) =>
    row.map((cell) => inOneLine(inlineText(cell, care)).replaceAll(/(?<!\\)\|/g, '\\|')),
  )
  return formatTable(texts, delimiters).join('\n')
}

function detailsText(node: Node, care: Care): string {
  const parts = children(node)
  const [first] = parts
  const head = first?.type.name === 'summary' ? first : null
  const words = head && inOneLine(inlineText(head, care))
  const begin = node.attrs['isOpen'] === true ? '<details open>' : '<details>'
  const lines = words === null ? [begin] : [begin, `<summary>${words}</summary>`]
  const inside = blocksText(head ? parts.slice(1) : parts, care, false)
  return [lines.join('\n'), ...(inside === '' ? [] : [inside]), '</details>'].join('\n\n')
}

function blockText(node: Node, care: Care, isAlternate: boolean): string {
  switch (node.type.name) {
    case 'paragraph':
      return escapeStarts(inlineText(node, care), care)
    case 'heading': {
      const text = inOneLine(inlineText(node, care))
      return `${'#'.repeat(Number(node.attrs['level']))} ${text.replace(/(\s)(#+)$/, '$1\\$2')}`.trimEnd()
    }
    case 'blockquote':
      return blocksText(children(node), care, false)
        .replaceAll(/^(?=.)/gm, '> ')
        .replaceAll(/^$/gm, '>')
    case 'code_block': {
      const longest = Math.max(2, ...(node.textContent.match(/`{3,}/g) ?? []).map((run) => run.length))
      const fence = '`'.repeat(longest + 1)
      const text = node.textContent === '' ? '' : `${node.textContent}\n`
      return `${fence}${String(node.attrs['info'])}\n${text}${fence}`
    }
    case 'bullet_list':
    case 'ordered_list':
      return listText(node, care, isAlternate)
    case 'table':
      return tableText(node, care)
    case 'horizontal_rule':
      return '---'
    case 'details':
      return detailsText(node, care)
    default:
      return node.textContent
  }
}

const isListLike = (one: Node | undefined, other: Node) =>
  one !== undefined && one.type === other.type && one.type.name.endsWith('_list')

function blocksText(blocks: readonly Node[], care: Care, isTight: boolean): string {
  let isAlternate = false
  const texts = blocks.map((block, index) => {
    isAlternate = isListLike(blocks[index - 1], block) && !isAlternate
    return blockText(block, care, isAlternate)
  })
  return texts.filter((text, index) => text !== '' || index === 0).join(isTight ? '\n' : '\n\n')
}

/** Writes a block with light escaping if that parses back to the same block, otherwise with full escaping. */
function writeBlock(node: Node, isAlternate: boolean): string {
  const light = blockText(node, 'light', isAlternate)
  const read = docOf(parseText(light))
  return read.childCount === 1 && read.firstChild?.eq(node) ? light : blockText(node, 'full', isAlternate)
}

export const writeDoc = (doc: Node): string =>
  children(doc)
    .map((block, index, all) => writeBlock(block, isListLike(all[index - 1], block)))
    .filter((text) => text !== '')
    .join('\n\n')

/**
 * Creates a writer for documents parsed from `text`. Unchanged blocks and the blank lines between them keep every byte;
 * only changed blocks are rewritten.
 */
export function makeWriter(text: string, parsed: ParsedText, first: Node) {
  const lineEnd = /\r\n/.test(text) ? '\r\n' : '\n'
  const byNode = new Map(parsed.blocks.map((block, index) => [block.node, { ...block, index }]))
  const byContent = new Map<string, (typeof parsed.blocks)[number] & { index: number }>()
  for (const block of byNode.values()) byContent.set(JSON.stringify(block.node), block)
  const findSource = (node: Node) => byNode.get(node) ?? byContent.get(JSON.stringify(node))
  const written = new WeakMap<Node, string>()
  const write = (node: Node, before: Node | undefined): string => {
    const known = written.get(node)
    if (known !== undefined) return known
    const source = writeBlock(node, isListLike(before, node)).replaceAll('\n', lineEnd)
    written.set(node, source)
    return source
  }
  return (doc: Node): string => {
    if (doc.eq(first)) return text
    const blocks = children(doc)
    let out = parsed.lead
    let lastIndex = -1
    let gap = ''
    blocks.forEach((node, position) => {
      const known = findSource(node)
      const source = known?.source ?? write(node, blocks[position - 1])
      if (source === '') return
      const isNext = known !== undefined && known.index === lastIndex + 1 && lastIndex >= 0
      const isApart = /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/.test(gap)
      if (out.trim() !== '') out += isNext || isApart ? gap : lineEnd + lineEnd
      out += source
      lastIndex = known?.index ?? -2
      gap = known?.gap ?? ''
    })
    if (lastIndex === -1) return ''
    // The text ends with the same line ends and blank lines as before.
    return out + (parsed.blocks.at(-1)?.gap ?? '')
  }
}
