import type { Token } from 'markdown-it'
import { textWidthOf } from '../../../lib/text/text-width.ts'

/** Lists with more tokens are cut between items, into parts of about this many tokens. */
const LONG_LIST_TOKENS = 400

/** Returns a shallow copy of a token. Its children are not parsed yet. */
function copyOf(token: Token): Token {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token)
  copy.attrs = token.attrs?.map(([name, value]) => [name, value]) ?? null
  if (token.type === 'inline') copy.children = []
  return copy
}

const isList = ({ type }: Token) => type === 'bullet_list_open' || type === 'ordered_list_open'

/** Returns an opening token that continues the list at item `item` (counted from 0). */
function reopen(open: Token, item: number): Token {
  const again = copyOf(open)
  again.attrs = open.attrs?.filter(([name]) => name !== 'start') ?? null
  if (open.type === 'ordered_list_open') again.attrSet('start', Number(open.attrGet('start') ?? 1) + item)
  return again
}

function* cutList(tokens: readonly Token[]): Generator<Token[]> {
  const [open, close] = [tokens[0]!, tokens.at(-1)!]
  let part: Token[] = [copyOf(open)]
  let items = 0
  for (const token of tokens.slice(1, -1)) {
    part.push(token)
    if (token.level !== 1 || token.type !== 'list_item_close') continue
    items += 1
    if (part.length < LONG_LIST_TOKENS) continue
    part[0]!.attrSet('class', 'goes-on')
    yield [...part, close]
    part = [reopen(open, items)]
  }
  if (part.length > 1) yield [...part, close]
  else yield []
}

/** Tables with more tokens (a few hundred rows) are cut between rows, into parts of about this many tokens. */
const LONG_TABLE_TOKENS = 2000

const LINE_PLACES = 72
const PADDING_PLACES = 3
const MIN_PLACES = 3
/** Limits for the width of a column, in characters. If the columns do not fit, the next lower limit is tried. */
const LONGEST_PLACES = [40, 32, 24, 18, 12]

/** Returns column widths in characters, based on the longest cell and limited by the available width. */
function columnsOf(tokens: readonly Token[]): readonly number[] {
  const longest: number[] = []
  let column = 0
  for (const { type, content } of tokens) {
    if (type === 'tr_open') column = 0
    if (type !== 'inline') continue
    const places = textWidthOf(content.slice(0, LONGEST_PLACES[0]))
    longest[column] = Math.max(longest[column] ?? MIN_PLACES, places)
    column += 1
  }
  const widths = LONGEST_PLACES.map((most) =>
    longest.map((places) => Math.min(places, most) + PADDING_PLACES),
  )
  const fits = (columns: readonly number[]) => columns.reduce((sum, places) => sum + places, 0) <= LINE_PLACES
  return widths.find(fits) ?? widths.at(-1) ?? []
}

/**
 * Cuts a table into parts with equal columns (see `prose/enhance/cut-tables.ts`). For accessibility, each part
 * contains the head of the table, but only the first part displays it.
 */
function* cutTable(tokens: readonly Token[]): Generator<Token[]> {
  const bodyAt = tokens.findIndex(({ type }) => type === 'tbody_open')
  if (bodyAt === -1) {
    yield [...tokens]
    return
  }
  const head = tokens.slice(1, bodyAt + 1)
  const ends = tokens.slice(-2)
  const rows = tokens.slice(bodyAt + 1, -2)
  const columns = `columns-${columnsOf(tokens).join('-')}`
  let start = 0
  for (let index = 0; index < rows.length; index += 1) {
    const isLast = index === rows.length - 1
    const isFull = index - start >= LONG_TABLE_TOKENS && rows[index]!.type === 'tr_close'
    if (!isLast && !isFull) continue
    const open = copyOf(tokens[0]!)
    open.attrs = [...(open.attrs ?? []), ['class', `${start === 0 ? 'cut' : 'cut went-on'} ${columns}`]]
    yield [open, ...head.map(copyOf), ...rows.slice(start, index + 1), ...ends]
    start = index + 1
  }
}

/**
 * Maximum length of a paragraph. Longer paragraphs are cut after a line break, otherwise after a space. Text without
 * both is cut anywhere.
 */
const LONG_PARAGRAPH = 32_000
const PARAGRAPH_PART = 8_000

/** Cuts a paragraph. Emphasis that spans a cut is lost. This is accepted, because the page stays responsive. */
function* cutParagraph([open, inline, close]: readonly Token[]): Generator<Token[]> {
  const text = inline!.content
  for (let start = 0; start < text.length;) {
    const rest = text.slice(start, start + 2 * PARAGRAPH_PART)
    const isLast = start + rest.length >= text.length
    const line = rest.indexOf('\n', PARAGRAPH_PART)
    const word = rest.indexOf(' ', PARAGRAPH_PART)
    const found = line === -1 ? word : line
    const length = isLast ? rest.length : found === -1 ? rest.length : found + 1
    const part = copyOf(inline!)
    part.content = rest.slice(0, length).toWellFormed().trimEnd()
    start += length
    const again = copyOf(open!)
    if (start < text.length) again.attrs = [['class', 'goes-on']]
    yield [again, part, close!]
  }
}

/** Cuts a long block into parts that are rendered separately. */
function* cutBlock(block: Token[]): Generator<Token[]> {
  const { type } = block[0]!
  if (block.length > LONG_LIST_TOKENS && isList(block[0]!)) yield* cutList(block)
  else if (block.length > LONG_TABLE_TOKENS && type === 'table_open') yield* cutTable(block)
  else if (type === 'paragraph_open' && (block[1]?.content.length ?? 0) > LONG_PARAGRAPH)
    yield* cutParagraph(block)
  else yield block
}

/** Yields the blocks of a text. Long lists, tables and paragraphs are cut into parts unless `isWhole` is set. */
export function* cutBlocks(tokens: readonly Token[], isWhole: boolean): Generator<Token[]> {
  let start = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!
    if (token.level !== 0 || token.nesting === 1) continue
    const block = tokens.slice(start, index + 1)
    start = index + 1
    if (isWhole) yield block
    else yield* cutBlock(block)
  }
}
