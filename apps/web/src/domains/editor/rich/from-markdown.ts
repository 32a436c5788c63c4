import createMarkdownIt, { type MarkdownIt, type StateBlock, type StateInline, type Token } from 'markdown-it'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { chineseMarks } from '../../markdown/syntax/chinese.ts'
import { knownHtml } from '../../markdown/syntax/known-html.ts'
import { formulas } from '../../markdown/syntax/math.ts'
import { marks } from '../../markdown/syntax/marks.ts'
import { schema } from './schema.ts'

const { nodes } = schema

const NOTE = /^\[\^[^\]\s]+\]:/

/**
 * Parses a footnote definition (`[^1]: …`) with its continuation lines. The node keeps the Markdown source unchanged.
 */
function noteBlock(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const textOf = (line: number) =>
    state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])
  if (state.sCount[startLine]! - state.blkIndent >= 4 || !NOTE.test(textOf(startLine))) return false
  if (isSilent) return true
  let line = startLine + 1
  for (; line < endLine; line += 1) {
    const isIndented = state.sCount[line]! - state.blkIndent >= 2
    if (state.isEmpty(line)) {
      const isMore =
        line + 1 < endLine && !state.isEmpty(line + 1) && state.sCount[line + 1]! - state.blkIndent >= 4
      if (!isMore) break
    } else if (!isIndented && (state.isEmpty(line - 1) || NOTE.test(textOf(line)))) break
  }
  const token = state.push('raw', '', 0)
  token.map = [startLine, line]
  token.content = state.getLines(startLine, line, state.blkIndent, false).trimEnd()
  state.line = line
  return true
}

/** Matches `[^1]`, `[TOC]` and `[[TOC]]`, which the editor keeps as Markdown source. */
const SIGN = /^(?:\[\^[^\]\s]+\]|\[\[toc\]\]|\[toc\])/i

function signInline(state: StateInline, isSilent: boolean): boolean {
  const sign = SIGN.exec(state.src.slice(state.pos, state.pos + 100))?.[0]
  if (!sign) return false
  if (!isSilent) state.push('raw', '', 0).content = sign
  state.pos += sign.length
  return true
}

function heldSigns(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'note', noteBlock)
  markdown.inline.ruler.before('link', 'sign', signInline)
}

/** Parser with the renderer's syntax, limited to elements that the rich view can edit. */
const parser = new createMarkdownIt({ html: false, linkify: false })
  .use(chineseMarks)
  .use(marks)
  .use(formulas)
  .use(heldSigns)
  .use(knownHtml, { holdsComments: true })

const attribute = (token: Token, name: string): string | null => {
  const value = token.attrGet(name)
  return value === null || value === undefined ? null : String(value)
}

const MARKS: Readonly<Record<string, string>> = {
  strong: 'strong',
  em: 'em',
  s: 'strike',
  mark: 'highlight',
  kbd: 'key',
  sub: 'sub',
  sup: 'sup',
}

/** Converts an inline token to nodes with the given marks. */
function inlineLeaf(token: Token, active: readonly Mark[]): Node[] {
  switch (token.type) {
    case 'text':
      return token.content === '' ? [] : [schema.text(token.content, active)]
    case 'softbreak':
      return [nodes.soft_break.create(null, null, active)]
    case 'code_inline':
      return [schema.text(token.content, [...active, schema.mark('code')])]
    case 'hardbreak':
      return [nodes.hard_break.create({ source: token.markup }, null, active)]
    case 'image':
      return [
        nodes.image.create(
          { src: attribute(token, 'src') ?? '', alt: token.content, title: attribute(token, 'title') },
          null,
          active,
        ),
      ]
    case 'formula':
      return [nodes.raw_inline.create({ source: token.markup }, null, active)]
    case 'raw':
      return [nodes.raw_inline.create({ source: token.content }, null, active)]
    default:
      return token.content === '' ? [] : [schema.text(token.content, active)]
  }
}

function inlineNodes(tokens: readonly Token[]): Node[] {
  let active: readonly Mark[] = []
  const found: Node[] = []
  for (const token of tokens) {
    const name = token.type.replace(/_(?:open|close)$/, '')
    const markName = name === 'link' ? 'link' : MARKS[name]
    if (markName === undefined) {
      found.push(...inlineLeaf(token, active))
      continue
    }
    const isLink = markName === 'link' && token.nesting === 1
    const attributes = isLink
      ? { href: attribute(token, 'href') ?? '', title: attribute(token, 'title') }
      : null
    if (token.nesting === 1) active = schema.mark(markName, attributes).addToSet(active)
    else active = active.filter(({ type }) => type.name !== markName)
  }
  // ProseMirror requires adjacent text nodes with equal marks to be joined.
  return joinTexts(found)
}

function joinTexts(found: readonly Node[]): Node[] {
  const joined: Node[] = []
  for (const node of found) {
    const last = joined.at(-1)
    if (last?.isText && node.isText && last.sameMarkup(node)) {
      joined[joined.length - 1] = schema.text((last.text ?? '') + (node.text ?? ''), node.marks)
    } else joined.push(node)
  }
  return joined
}

const TASK = /^\[([ xX])\](?:\s+|$)/

/** Creates a list item. Converts `[x]` or `[ ]` at the start to a checkbox. */
function listItem(content: readonly Node[]): Node {
  const isParagraph = content[0]?.type === nodes.paragraph
  const first = (isParagraph ? content[0] : null) ?? nodes.paragraph.create()
  const rest = isParagraph ? content.slice(1) : content
  const text = first.firstChild?.isText ? (first.firstChild.text ?? '') : ''
  const task = first.firstChild?.marks.length === 0 ? TASK.exec(text) : null
  if (!task) return nodes.list_item.create(null, [first, ...rest])
  const paragraph = first.copy(first.content.cut(task[0].length))
  return nodes.list_item.create({ checked: task[1] !== ' ' }, [paragraph, ...rest])
}

const isTight = (tokens: readonly Token[], from: number): boolean => {
  const level = tokens[from]!.level + 2
  for (let index = from + 1; tokens[index] && tokens[index]!.level >= tokens[from]!.level + 1; index += 1) {
    const token = tokens[index]!
    if (token.type === 'paragraph_open' && token.level === level) return token.hidden
  }
  return true
}

function codeBlock(token: Token): Node {
  const text = token.content.replace(/\n$/, '')
  return nodes.code_block.create({ info: token.info.trim() }, text === '' ? null : schema.text(text))
}

/**
 * Converts a table.
 * @param tokens the tokens between the opening and closing token of the table
 */
function tableNode(tokens: readonly Token[]): Node {
  const rows: Node[] = []
  let cells: Node[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'tr_close') rows.push(nodes.table_row.create(null, cells))
    if (token.type === 'tr_open') cells = []
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const align = /text-align:(\w+)/.exec(attribute(token, 'style') ?? '')?.[1] ?? null
    const content = inlineNodes(tokens[index + 1]?.children ?? [])
    const type = token.type === 'th_open' ? nodes.table_header : nodes.table_cell
    cells.push(type.create({ align }, content))
  }
  return nodes.table.create(null, rows)
}

/** Creates a reader that converts block tokens to nodes, in order. */
function makeReader(tokens: readonly Token[]) {
  let at = 0
  function until(end: string): Node[] {
    const found: Node[] = []
    while (at < tokens.length && tokens[at]!.type !== end) {
      const node = block()
      if (node) found.push(node)
    }
    at += 1
    return found
  }
  function inline(): Node[] {
    const token = tokens[at]
    at += 1
    return token?.type === 'inline' ? inlineNodes(token.children ?? []) : []
  }
  function textBlock(make: (content: Node[]) => Node): Node {
    const content = inline()
    at += 1
    return make(content)
  }
  function table(): Node {
    const start = at
    while (tokens[at] && tokens[at]!.type !== 'table_close') at += 1
    const inside = tokens.slice(start, at)
    at += 1
    return tableNode(inside)
  }
  function block(): Node | null {
    const index = at
    const token = tokens[at]!
    at += 1
    switch (token.type) {
      case 'paragraph_open':
        return textBlock((content) => nodes.paragraph.create(null, content))
      case 'heading_open':
        return textBlock((content) => nodes.heading.create({ level: Number(token.tag.slice(1)) }, content))
      case 'blockquote_open':
        return nodes.blockquote.create(null, filled(until('blockquote_close')))
      case 'bullet_list_open':
        return nodes.bullet_list.create(
          { mark: token.markup, isTight: isTight(tokens, index) },
          until('bullet_list_close'),
        )
      case 'ordered_list_open':
        return nodes.ordered_list.create(
          {
            order: Number(attribute(token, 'start') ?? 1),
            mark: token.markup,
            isTight: isTight(tokens, index),
          },
          until('ordered_list_close'),
        )
      case 'list_item_open':
        return listItem(until('list_item_close'))
      case 'fence':
      case 'code_block':
        return codeBlock(token)
      case 'hr':
        return nodes.horizontal_rule.create()
      case 'table_open':
        return table()
      case 'raw':
        return nodes.raw_block.create(null, schema.text(token.content))
      case 'details_open':
        return detailsNode(until('details_close'), attribute(token, 'open') !== null)
      case 'summary_open':
        return textBlock((content) => nodes.summary.create(null, content))
      default:
        return null
    }
  }
  return { block, isAtEnd: () => at >= tokens.length, next: () => tokens[at] }
}

/** Creates a details node: an optional summary, then the content. */
function detailsNode(content: Node[], isOpen: boolean): Node {
  const hasHead = content[0]?.type === nodes.summary
  const [head, rest] = hasHead ? [content.slice(0, 1), content.slice(1)] : [[], content]
  return nodes.details.create({ isOpen }, [...head, ...filled(rest)])
}

const filled = (content: Node[]): Node[] => (content.length === 0 ? [nodes.paragraph.create()] : content)

export interface SourceBlock {
  readonly node: Node
  readonly source: string
  /** The line end of the block, and the blank lines after it. */
  readonly gap: string
}

export interface ParsedText {
  readonly blocks: readonly SourceBlock[]
  /** Blank lines before the first block. */
  readonly lead: string
}

const rawBlock = (source: string) => nodes.raw_block.create(null, schema.text(source))

/** Lines with their line endings. */
const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  return end === -1 ? 0 : end + 1
}

interface Place {
  readonly node: Node | null
  readonly from: number
  readonly to: number
}

/**
 * Returns each top-level block with its lines, from `from` (inclusive) to `to` (exclusive). The node is `null` for
 * tokens that the reader does not know.
 */
function placesOf(text: string): Place[] {
  const reader = makeReader(parser.parse(text, {}))
  const places: Place[] = []
  while (!reader.isAtEnd()) {
    const [from, to] = reader.next()?.map ?? [0, 0]
    places.push({ node: reader.block(), from, to })
  }
  return places
}

/** Splits a text into blocks. Concatenated, the lead and all sources and gaps are the original text, byte for byte. */
export function parseText(text: string): ParsedText {
  const lines = linesOf(text)
  const first = frontMatterLines(lines)
  const body = lines.slice(first).join('')
  const places = placesOf(body).map(({ node, from, to }) => ({ node, from: from + first, to: to + first }))
  if (first > 0)
    places.unshift({ node: rawBlock(lines.slice(0, first).join('').trimEnd()), from: 0, to: first })
  const blocks: SourceBlock[] = []
  let lead = ''
  let at = 0
  const addGap = (until: number) => {
    const gap = lines.slice(at, until).join('')
    at = Math.max(at, until)
    const last = blocks.at(-1)
    if (gap.trim() === '') {
      if (last) blocks[blocks.length - 1] = { ...last, gap: last.gap + gap }
      else lead += gap
      return
    }
    // The parser returns no token for link definitions, so they become a raw block.
    const start = gap.length - gap.trimStart().length
    const source = gap.trim()
    if (last) blocks[blocks.length - 1] = { ...last, gap: last.gap + gap.slice(0, start) }
    else lead += gap.slice(0, start)
    blocks.push({
      node: rawBlock(source.replaceAll(/\r\n?/g, '\n')),
      source,
      gap: gap.slice(start + source.length),
    })
  }
  for (const { node, from, to } of places) {
    addGap(from)
    const whole = lines.slice(from, to).join('')
    at = Math.max(at, to)
    const source = whole.replace(/(?:[ \t]*(?:\r\n|\r|\n))+[ \t]*$/, '')
    if (node) blocks.push({ node, source, gap: whole.slice(source.length) })
  }
  addGap(lines.length)
  return { blocks, lead }
}

/** Creates an editor document from a parsed text. */
export const docOf = ({ blocks }: ParsedText): Node =>
  nodes.doc.create(null, filled(blocks.map(({ node }) => node)))

/**
 * Restores trailing spaces at the end of the text. Markdown drops these spaces, but the user might continue typing
 * after them.
 */
export function withLastBlanks(parsed: ParsedText, text: string): ParsedText {
  const blanks = / +$/.exec(text)?.[0]
  const last = parsed.blocks.at(-1)
  if (!blanks || last?.node.type !== nodes.paragraph) return parsed
  const node = last.node.copy(last.node.content.append(Fragment.from(schema.text(blanks))))
  const source = last.source.endsWith(blanks) ? last.source : last.source + blanks
  const blocks = [...parsed.blocks.slice(0, -1), { node, source, gap: last.gap.replace(/ +$/, '') }]
  return { ...parsed, blocks }
}
