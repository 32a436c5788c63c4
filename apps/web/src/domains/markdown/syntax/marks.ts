import type { Delimiter, MarkdownIt, StateInline } from 'markdown-it'

const EQUALS = 0x3d

const isWordAt = (text: string, position: number) => /\w/.test(text.charAt(position))

/** Whether `==` is between two Latin words, where it is a comparison and not a mark. */
const isComparison = ({ src }: StateInline, start: number, length: number) =>
  isWordAt(src, start - 1) && isWordAt(src, start + length)

function findMarks(state: StateInline, isSilent: boolean): boolean {
  const start = state.pos
  if (isSilent || state.src.charCodeAt(start) !== EQUALS) return false
  const { length, can_open: open, can_close: close } = state.scanDelims(start, true)
  if (length < 2 || isComparison(state, start, length)) return false
  if (length % 2 === 1) state.push('text', '', 0).content = '='
  for (let count = 0; count < Math.floor(length / 2); count += 1) {
    state.push('text', '', 0).content = '=='
    const token = state.tokens.length - 1
    state.delimiters.push({ marker: EQUALS, length: 0, token, end: -1, open, close })
  }
  state.pos += length
  return true
}

function turn(state: StateInline, { token: index }: Delimiter, nesting: 1 | -1): void {
  const token = state.tokens[index]
  if (!token) return
  Object.assign(token, {
    type: nesting === 1 ? 'mark_open' : 'mark_close',
    tag: 'mark',
    nesting,
    content: '',
  })
}

function pairMarks(state: StateInline): void {
  const lists = [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])]
  for (const delimiters of lists) {
    for (const delimiter of delimiters) {
      const end = delimiter.marker === EQUALS ? delimiters[delimiter.end] : undefined
      if (!end) continue
      turn(state, delimiter, 1)
      turn(state, end, -1)
    }
  }
}

/** Highlights `==important==`. */
export function marks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'mark', findMarks)
  markdown.inline.ruler2.before('emphasis', 'mark', pairMarks)
}
