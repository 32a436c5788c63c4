import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

const DOLLAR = 0x24
const BACKSLASH = 0x5c

/**
 * Positions of all unescaped `$` and `$$`. They are found once per text, so that many unpaired signs do not slow down
 * parsing.
 */
interface Signs {
  readonly positions: readonly number[]
  /** Positions of `$$`. */
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

/** Returns the first position at or after `from`, or -1. Positions must be ascending. */
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

/** Returns the position of the next `$` or `$$` if it can end the formula at `start`, otherwise -1. */
function endOf(state: StateInline, start: number, isDouble: boolean): number {
  const { src } = state
  const { positions, doubles } = signsOf(state)
  const end = firstFrom(positions, start)
  if (end === -1 || end >= state.posMax || doubles.has(end) !== isDouble) return -1
  const isTight = isDouble || (/\S/.test(src.charAt(end - 1)) && !/\w/.test(src.charAt(end + 1)))
  return isTight ? end : -1
}

/** Adds a formula token, whose `markup` is the source in one line. */
function pushFormula(state: StateInline, source: string, [begin, end]: readonly [string, string]): void {
  const token = state.push('formula', 'code', 0)
  const line = source.replaceAll('\n', ' ')
  token.content = line.trim()
  token.markup = begin + line + end
  token.attrSet('class', begin === '$' || begin === '\\(' ? 'language-math' : 'language-math-display')
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
  if (!isSilent) pushFormula(state, content, isDouble ? ['$$', '$$'] : ['$', '$'])
  state.pos = end + (isDouble ? 2 : 1)
  return true

  /** Skips both characters of a `$$` that does not start a formula. */
  function skip(): boolean {
    if (!isDouble) return false
    if (!isSilent) state.pending += '$$'
    state.pos += 2
    return true
  }
}

/**
 * Caches failed searches for the end of a block. For each end line of a container, the value is the first line of a
 * failed search.
 */
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

/** Brackets of the notations `\(…\)` and `\[…\]`, which other programs use. */
const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']' }

/** Positions of `\)` and `\]`, found once per text. */
const knownEnds = new WeakMap<StateInline, Readonly<Record<string, readonly number[]>>>()

function endsOf(state: StateInline): Readonly<Record<string, readonly number[]>> {
  const before = knownEnds.get(state)
  if (before) return before
  const { src } = state
  const ends: Record<string, number[]> = { ')': [], ']': [] }
  for (let at = src.indexOf('\\'); at !== -1; at = src.indexOf('\\', at + 2)) {
    ends[src.charAt(at + 1)]?.push(at)
  }
  knownEnds.set(state, ends)
  return ends
}

/** Distinguishes formulas from escaped brackets such as `\[1\]`, `\[ \]` and `\[words\](…)`. */
const isBracketFormula = (content: string, after: string) =>
  !/^[([:]/.test(after) && (/[\\^_=+<>{}]/.test(content) || (/^\s/.test(content) && /\s$/.test(content)))

function findBracketed(state: StateInline, isSilent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== BACKSLASH) return false
  const opening = src.charAt(pos + 1)
  const closing = BRACKETS[opening]
  const end = closing === undefined ? -1 : firstFrom(endsOf(state)[closing] ?? [], pos + 2)
  if (closing === undefined || end === -1 || end + 2 > posMax) return false
  const content = src.slice(pos + 2, end)
  if (content.trim() === '') return false
  if (opening === '[' && !isBracketFormula(content, src.charAt(end + 2))) return false
  if (!isSilent) pushFormula(state, content, [`\\${opening}`, `\\${closing}`])
  state.pos = end + 2
  return true
}

/** Caches the latest line range in which no closing `\]` was found. */
const withoutEnd = new WeakMap<StateBlock, { readonly from: number; readonly until: number }>()

/** Returns the line of the same paragraph that ends with `\]`, or -1. */
function findBracketEnd(state: StateBlock, startLine: number, endLine: number): number {
  const none = withoutEnd.get(state)
  if (none && startLine >= none.from && startLine < none.until) return -1
  let line = startLine
  for (; line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent; line += 1) {
    if (state.src.slice(state.bMarks[line], state.eMarks[line]).trimEnd().endsWith('\\]')) return line
  }
  withoutEnd.set(state, { from: startLine, until: line })
  return -1
}

function findBracketBlock(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const start = state.bMarks[startLine]! + state.tShift[startLine]!
  if (state.sCount[startLine]! - state.blkIndent >= 4 || !state.src.startsWith('\\[', start)) return false
  // Lines such as `\[x\] and \[y\]` contain inline formulas.
  const first = state.src.slice(start, state.eMarks[startLine]).trimEnd()
  const endInFirst = first.indexOf('\\]')
  if (endInFirst !== -1 && endInFirst !== first.length - 2) return false
  const lastLine = endInFirst === -1 ? findBracketEnd(state, startLine + 1, endLine) : startLine
  if (lastLine === -1) return false
  const isOneLine = lastLine === startLine
  const rest = isOneLine ? '' : state.getLines(startLine + 1, lastLine + 1, state.sCount[startLine]!, false)
  const content = `${first}\n${rest}`.trimEnd().slice(2, -2)
  if (content.trim() === '' || !isBracketFormula(content, '')) return false
  if (isSilent) return true
  const token = state.push('fence', 'code', 0)
  token.info = 'math'
  token.content = `${content.trim()}\n`
  token.map = [startLine, lastLine + 1]
  state.line = lastLine + 1
  return true
}

function findBlock(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const start = state.bMarks[startLine]! + state.tShift[startLine]!
  if (state.sCount[startLine]! - state.blkIndent >= 4 || !state.src.startsWith('$$', start)) return false
  const first = state.src.slice(start + 2, state.eMarks[startLine]).trim()
  const isOneLine = first.length > 2 && first.endsWith('$$')
  // A line such as `$$x$$ and more` contains an inline formula.
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
 * Parses formulas: inline `$x$`, `$$x$$`, `\(x\)` and `\[x = y\]`, and blocks with `$$` or `\[…\]` around lines. Text
 * such as `$5 and $6` is not a formula. Renders a formula as code with the class `language-math` or
 * `language-math-display`. Readers see this code until the formula is drawn.
 */
export function formulas(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'formula', findFormula)
  markdown.inline.ruler.before('escape', 'bracketed_formula', findBracketed)
  const alt = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
  markdown.block.ruler.before('fence', 'formula_block', findBlock, alt)
  markdown.block.ruler.before('fence', 'bracketed_block', findBracketBlock, alt)
  markdown.renderer.rules['formula'] = (tokens, index, _options, _env, renderer) => {
    const token = tokens[index]!
    return `<code${renderer.renderAttrs(token)}>${markdown.utils.escapeHtml(token.content)}</code>`
  }
}
