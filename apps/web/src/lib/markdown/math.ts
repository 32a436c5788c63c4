import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

const DOLLAR = 0x24

/** Every `$` that is not escaped, found once for each text: many lone signs cost no more than one. */
interface Signs {
  readonly positions: readonly number[]
  /** By position: whether it is `$$`. */
  readonly doubles: ReadonlySet<number>
}

const known = new WeakMap<StateInline, Signs>()

function signsOf(state: StateInline): Signs {
  const before = known.get(state)
  if (before) return before
  const { src } = state
  const positions: number[] = []
  const doubles = new Set<number>()
  let backslashesFrom = 0
  for (let at = src.indexOf('$'); at !== -1; at = src.indexOf('$', at + 1)) {
    let first = at
    while (first > backslashesFrom && src.charAt(first - 1) === '\\') first -= 1
    backslashesFrom = at + 1
    if ((at - first) % 2 === 1) continue
    positions.push(at)
    if (src.charCodeAt(at + 1) !== DOLLAR) continue
    doubles.add(at)
    at += 1
  }
  const signs = { positions, doubles }
  known.set(state, signs)
  return signs
}

/** The first position from `from` on, `-1` without one. Positions rise. */
function firstFrom(positions: readonly number[], from: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return positions[low] ?? -1
}

/** Where the formula that begins at `start` ends: at the next sign, if that can be an end. */
function endOf(state: StateInline, start: number, isDouble: boolean): number {
  const { src } = state
  const { positions, doubles } = signsOf(state)
  const end = firstFrom(positions, start)
  if (end === -1 || end >= state.posMax || doubles.has(end) !== isDouble) return -1
  const isTight = isDouble || (/\S/.test(src.charAt(end - 1)) && !/\w/.test(src.charAt(end + 1)))
  return isTight ? end : -1
}

function findFormula(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== DOLLAR) return false
  const isDouble = src.charCodeAt(pos + 1) === DOLLAR
  const start = pos + (isDouble ? 2 : 1)
  if (!isDouble && (/\s/.test(src.charAt(start)) || /\w/.test(src.charAt(pos - 1)))) return skip()
  const end = endOf(state, start, isDouble)
  const content = end === -1 ? '' : src.slice(start, end)
  if (content.trim() === '') return skip()
  if (!isSilent) {
    const token = state.push('formula', 'code', 0)
    token.content = content.replaceAll('\n', ' ').trim()
    token.attrSet('class', isDouble ? 'language-math-display' : 'language-math')
  }
  state.pos = end + (isDouble ? 2 : 1)
  return true

  /** Signs that begin nothing are text, both of a pair at once. */
  function skip(): boolean {
    if (!isDouble) return false
    if (!isSilent) state.pending += '$$'
    state.pos += 2
    return true
  }
}

/** Lines after which no block ends any more, by where their container ends. */
const unended = new WeakMap<StateBlock, Map<number, number>>()

function findEnd(state: StateBlock, firstLine: number, endLine: number): number {
  const none = unended.get(state) ?? new Map<number, number>()
  unended.set(state, none)
  if (firstLine >= (none.get(endLine) ?? Infinity)) return -1
  for (let line = firstLine; line < endLine; line += 1) {
    if (state.sCount[line]! < state.blkIndent && !state.isEmpty(line)) return -1
    if (state.src.slice(state.bMarks[line], state.eMarks[line]).trimEnd().endsWith('$$')) return line
  }
  none.set(endLine, firstLine)
  return -1
}

function findBlock(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const start = state.bMarks[startLine]! + state.tShift[startLine]!
  if (state.sCount[startLine]! - state.blkIndent >= 4 || !state.src.startsWith('$$', start)) return false
  const first = state.src.slice(start + 2, state.eMarks[startLine]).trim()
  const isOneLine = first.length > 2 && first.endsWith('$$')
  // `$$x$$ and more` is for a paragraph.
  if (!isOneLine && first.includes('$$')) return false
  const lastLine = isOneLine ? startLine : findEnd(state, startLine + 1, endLine)
  if (lastLine === -1) return false
  if (isSilent) return true
  const rest = isOneLine ? '' : state.getLines(startLine + 1, lastLine + 1, state.sCount[startLine]!, false)
  const token = state.push('fence', 'code', 0)
  token.info = 'math'
  token.content = `${first}\n${rest}`.trim().replace(/\$\$$/, '').trim() + '\n'
  token.map = [startLine, lastLine + 1]
  state.line = lastLine + 1
  return true
}

/**
 * `$x$` and `$$x$$` in a line, `$$` around lines. Both come out as code with the class `language-math` (or
 * `-math-display`), readable until the formulas are drawn; `$5 and $6` is text.
 */
export function formulas(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'formula', findFormula)
  markdown.block.ruler.before('fence', 'formula_block', findBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.renderer.rules['formula'] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!
    return `<code${renderer.renderAttrs(token)}>${markdown.utils.escapeHtml(token.content)}</code>`
  }
}
