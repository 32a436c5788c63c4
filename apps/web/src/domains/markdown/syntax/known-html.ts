import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'

const TAG = /^<(\/?)(br|kbd|sub|sup)[ \t]*\/?>/i
const LONGEST_TAG = 40

const LESS_THAN = 0x3c

/**
 * Position in inline text, or line of a text, from which no comment ends. Stored, so that the search runs only once.
 */
const noEndFrom = new WeakMap<object, number>()

/** Returns the end of the comment at `start`, or -1. */
function commentEnd(state: StateInline, start: number): number {
  if (!state.src.startsWith('<!--', start) || start >= (noEndFrom.get(state) ?? Infinity)) return -1
  const end = state.src.indexOf('-->', start + 4)
  if (end === -1) noEndFrom.set(state, start)
  return end === -1 ? -1 : end + 3
}

/** Parses an inline comment. Omits the comment, or keeps it as source if `isHeld` is set. */
const inlineComment = (isHeld: boolean) =>
  function findInlineComment(state: StateInline, isSilent: boolean): boolean {
    if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false
    const end = commentEnd(state, state.pos)
    if (end === -1) return false
    if (isHeld && !isSilent) state.push('raw', '', 0).content = state.src.slice(state.pos, end)
    state.pos = end
    return true
  }

/** Parses `<br>`, `<kbd>`, `<sub>` and `<sup>`. */
function findInline(state: StateInline, isSilent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false
  const [found, slash, written = ''] = TAG.exec(state.src.slice(state.pos, state.pos + LONGEST_TAG)) ?? []
  const name = written.toLowerCase()
  if (found === undefined || (name === 'br' && slash === '/')) return false
  if (!isSilent) {
    if (name === 'br') state.push('hardbreak', 'br', 0).markup = found
    else state.push('known_html', '', 0).meta = { name, isEnd: slash === '/', found }
  }
  state.pos += found.length
  return true
}

const IMAGE = /^<img((?:\s+[a-z-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/i
const ATTRIBUTE = /([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/gi
const LONGEST_IMAGE = 2000

const imageAttributes = (written: string, unescape: (text: string) => string): ReadonlyMap<string, string> =>
  new Map(
    [...written.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      unescape(double ?? single ?? bare ?? ''),
    ]),
  )

/**
 * Parses an `<img>` tag, because Markdown cannot express the size of an image. Keeps the tag as source if `isHeld` is
 * set.
 */
const inlineImage = (isHeld: boolean) =>
  function findImage(state: StateInline, isSilent: boolean): boolean {
    const { src, pos, md } = state
    if (src.charCodeAt(pos) !== LESS_THAN) return false
    const [found, written = ''] = IMAGE.exec(src.slice(pos, pos + LONGEST_IMAGE)) ?? []
    if (found === undefined) return false
    const attributes = imageAttributes(written, md.utils.unescapeAll)
    const address = md.normalizeLink(attributes.get('src') ?? '')
    if (address === '' || !md.validateLink(address)) return false
    state.pos += found.length
    if (isSilent) return true
    if (isHeld) {
      state.push('raw', '', 0).content = found
      return true
    }
    const token = state.push('image', 'img', 0)
    const alt = attributes.get('alt') ?? ''
    token.content = alt
    token.children = [Object.assign(new state.Token('text', '', 0), { content: alt })]
    token.attrs = [
      ['src', address],
      ['alt', ''],
    ]
    for (const name of ['title', 'width', 'height']) {
      const value = attributes.get(name)?.replace(/px$/, '')
      if (value !== undefined) token.attrPush([name, value])
    }
    return true
  }

interface Mark {
  readonly name: string
  readonly isEnd: boolean
  /** The tag in the source text. */
  readonly found: string
}

/** Pairs opening and closing tags within a paragraph, heading or cell. Unpaired tags are shown as source. */
function pair(children: readonly Token[]): void {
  const open: { readonly token: Token; readonly name: string }[] = []
  for (const token of children) {
    if (token.type !== 'known_html') continue
    const { name, isEnd, found } = token.meta as unknown as Mark
    Object.assign(token, { type: 'text', content: found })
    if (!isEnd) {
      open.push({ token, name })
      continue
    }
    if (open.at(-1)?.name !== name) continue
    const { token: begin } = open.pop()!
    Object.assign(begin, { type: `${name}_open`, tag: name, nesting: 1, content: '' })
    Object.assign(token, { type: `${name}_close`, tag: name, nesting: -1, content: '' })
  }
}

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])

const isCode = (state: StateBlock, line: number) => state.sCount[line]! - state.blkIndent >= 4

/** Yields the line numbers up to the end of the list or quote. */
function* linesFrom(state: StateBlock, start: number, end: number): Generator<number> {
  for (let line = start; line < end; line += 1) {
    if (!state.isEmpty(line) && state.sCount[line]! < state.blkIndent) return
    yield line
  }
}

/** Returns the last line of a comment block, or -1. */
function lastLineOfComment(state: StateBlock, startLine: number, endLine: number): number {
  if (isCode(state, startLine) || !lineAt(state, startLine).startsWith('<!--')) return -1
  const none = noEndFrom.get(state.env)
  if (none !== undefined && startLine >= none) return -1
  for (const line of linesFrom(state, startLine, endLine)) {
    const text = lineAt(state, line)
    const end = text.indexOf('-->', line === startLine ? 4 : 0)
    if (end !== -1) return text.slice(end + 3).trim() === '' ? line : -1
  }
  if (endLine === state.lineMax && state.level === 0) noEndFrom.set(state.env, startLine)
  return -1
}

const blockComment = (isHeld: boolean) =>
  function findComment(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
    const last = lastLineOfComment(state, startLine, endLine)
    if (last === -1) return false
    if (isSilent) return true
    if (isHeld) {
      const token = state.push('raw', '', 0)
      token.map = [startLine, last + 1]
      token.content = state.getLines(startLine, last + 1, state.blkIndent, false).trimEnd()
    }
    state.line = last + 1
    return true
  }

const OPEN = /^<details([ \t]+open)?[ \t]*>[ \t]*/i
const CLOSE = /^<\/details>[ \t]*$/i
const SUMMARY = /^<summary>(.*?)<\/summary>[ \t]*/i
const FENCE = /^(?:`{3,}|~{3,})/
const MAX_LEVEL = 12

/** Closing lines of `<details>` by opening line, found once for all lines of a container. */
interface Closings {
  readonly from: number
  readonly until: number
  readonly lines: ReadonlyMap<number, number>
}

function findClosings(state: StateBlock, from: number, endLine: number): Closings {
  const lines = new Map<number, number>()
  const open: number[] = []
  let fence = ''
  let until = from
  for (const line of linesFrom(state, from, endLine)) {
    until = line + 1
    if (isCode(state, line)) continue
    const text = lineAt(state, line)
    const mark = FENCE.exec(text)?.[0] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence) && text.trim() === mark) fence = ''
      continue
    }
    fence = mark
    if (OPEN.test(text)) open.push(line)
    const begin = CLOSE.test(text) ? open.pop() : undefined
    if (begin !== undefined) lines.set(begin, line)
  }
  return { from, until, lines }
}

const knownClosings = new WeakMap<StateBlock, Map<string, Closings>>()

/** Returns the closing line of the `<details>` at `startLine`, or -1. */
function closingLine(state: StateBlock, startLine: number, endLine: number): number {
  const known = knownClosings.get(state) ?? new Map<string, Closings>()
  knownClosings.set(state, known)
  const place = `${state.level} ${state.blkIndent} ${endLine}`
  let closings = known.get(place)
  if (!closings || startLine < closings.from || startLine >= closings.until) {
    closings = findClosings(state, startLine, endLine)
    known.set(place, closings)
  }
  return closings.lines.get(startLine) ?? -1
}

/**
 * Parses `<details>` with Markdown inside. A `<summary>` is optional; it follows in the same line or starts the next
 * one.
 */
function findDetails(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  if (isCode(state, startLine) || state.level > MAX_LEVEL) return false
  const [opening, open] = OPEN.exec(lineAt(state, startLine)) ?? []
  const last = opening === undefined ? -1 : closingLine(state, startLine, endLine)
  if (opening === undefined || last <= startLine) return false
  const rest = lineAt(state, startLine).slice(opening.length)
  const summaryLine = rest === '' && startLine + 1 < last ? startLine + 1 : startLine
  const [summary, words = ''] = SUMMARY.exec(rest === '' ? lineAt(state, summaryLine) : rest) ?? []
  const left =
    summary === undefined ? rest : (rest === '' ? lineAt(state, summaryLine) : rest).slice(summary.length)
  // No other text can follow the tags in their lines.
  if (left !== '') return false
  if (isSilent) return true
  const details = state.push('details_open', 'details', 1)
  details.map = [startLine, last + 1]
  if (open !== undefined) details.attrSet('open', '')
  if (summary !== undefined) {
    state.push('summary_open', 'summary', 1)
    Object.assign(state.push('inline', '', 0), {
      content: words.trim(),
      map: [summaryLine, summaryLine + 1],
      children: [],
    })
    state.push('summary_close', 'summary', -1)
  }
  const { lineMax, parentType } = state
  state.lineMax = last
  state.parentType = 'details'
  state.md.block.tokenize(state, summary === undefined ? startLine + 1 : summaryLine + 1, last)
  Object.assign(state, { lineMax, parentType })
  state.push('details_close', 'details', -1)
  state.line = last + 1
  return true
}

interface KnownHtmlOptions {
  /** Keeps comments and `<img>` tags as tokens of type `raw`. */
  readonly holdsComments?: boolean
}

/**
 * Parses comments and the few HTML tags that users write in Markdown. Only `<img>` and `<details>` can have attributes.
 * Other tags are shown as source.
 */
export function knownHtml(markdown: MarkdownIt, { holdsComments = false }: KnownHtmlOptions = {}): void {
  const alt = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
  markdown.block.ruler.before('heading', 'comment', blockComment(holdsComments), alt)
  markdown.block.ruler.before('heading', 'details', findDetails, alt)
  markdown.inline.ruler.before('autolink', 'inline_comment', inlineComment(holdsComments))
  markdown.inline.ruler.before('autolink', 'known_html', findInline)
  markdown.inline.ruler.before('autolink', 'html_image', inlineImage(holdsComments))
  markdown.core.ruler.after('inline', 'known_html', (state) => {
    for (const { children } of state.tokens) if (children) pair(children)
  })
}
