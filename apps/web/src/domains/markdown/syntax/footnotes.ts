import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import type { Note, TextEnv } from './env.ts'

const MARK = /^\[\^([^\s\]]+)\]/
const LONGEST_MARK = 200

const nameAt = (src: string, start: number): string | null =>
  src.startsWith('[^', start) ? (MARK.exec(src.slice(start, start + LONGEST_MARK))?.[1] ?? null) : null

/** Parses a footnote definition (`[^1]: text`) with its indented lines. */
function findDefinition(state: StateBlock, line: number, endLine: number, isSilent: boolean): boolean {
  const start = state.bMarks[line]! + state.tShift[line]!
  if (state.sCount[line]! - state.blkIndent >= 4) return false
  const name = nameAt(state.src, start)
  const textStart = start + (name?.length ?? 0) + 4
  if (name === null || textStart > state.eMarks[line]! || state.src[textStart - 1] !== ':') return false
  if (isSilent) return true
  state.push('footnote_open', '', 1).meta = { name: name.toLowerCase() }
  parseInside(state, { line, endLine, textStart })
  state.push('footnote_close', '', -1)
  return true
}

interface Inside {
  readonly line: number
  readonly endLine: number
  readonly textStart: number
}

/** Parses the blocks of a definition, whose first line starts after the colon. */
function parseInside(state: StateBlock, { line, endLine, textStart }: Inside): void {
  const { parentType, blkIndent } = state
  const before = { bMarks: state.bMarks[line]!, tShift: state.tShift[line]!, sCount: state.sCount[line]! }
  const after = state.src.slice(textStart, state.eMarks[line])
  const shift = after.length - after.trimStart().length
  state.bMarks[line] = textStart
  state.tShift[line] = shift
  state.blkIndent = blkIndent + 4
  state.sCount[line] = state.blkIndent
  state.parentType = 'footnote'
  state.md.block.tokenize(state, line, endLine)
  state.blkIndent = blkIndent
  state.parentType = parentType
  state.bMarks[line] = before.bMarks
  state.tShift[line] = before.tShift
  state.sCount[line] = before.sCount
}

/**
 * Removes footnote definitions from a text and stores them. If a name has several definitions, only the first is
 * stored.
 */
export function takeDefinitions(tokens: readonly Token[], { definitions }: TextEnv): Token[] {
  const rest: Token[] = []
  const open: Token[][] = []
  for (const token of tokens) {
    if (token.type === 'footnote_open') {
      const inside: Token[] = []
      const name = String(token.meta?.['name'])
      if (!definitions.has(name)) definitions.set(name, inside)
      open.push(inside)
    } else if (token.type === 'footnote_close') open.pop()
    else (open.at(-1) ?? rest).push(token)
  }
  return rest
}

function mention({ definitions, notes }: TextEnv, name: string): { number: number; turn: number } | null {
  const tokens = definitions.get(name)
  if (!tokens) return null
  const note = notes.get(name) ?? { tokens, mentions: 0, number: notes.size + 1 }
  notes.set(name, note)
  note.mentions += 1
  return { number: note.number, turn: note.mentions }
}

function findMention(state: StateInline, isSilent: boolean): boolean {
  const name = nameAt(state.src, state.pos)
  const env = state.env as TextEnv
  if (name === null || state.linkLevel > 0 || !env.definitions.has(name.toLowerCase())) return false
  if (!isSilent) state.push('footnote_ref', '', 0).meta = mention(env, name.toLowerCase())
  state.pos += name.length + 3
  return true
}

const mentionId = (number: number, turn: number) =>
  turn === 1 ? `fnref:${number}` : `fnref:${number}:${turn}`

/** Returns links back to each reference of a note. */
const waysBack = ({ number, mentions }: Note): string =>
  Array.from({ length: mentions }, (_, index) => {
    const label = index === 0 ? '↩' : `↩<sup>${index + 1}</sup>`
    return ` <a href="#${mentionId(number, index + 1)}" class="footnote-back">${label}</a>`
  }).join('')

export function drawNote(note: Note, html: string): string {
  const back = waysBack(note)
  const inside = html.endsWith('</p>\n') ? `${html.slice(0, -5)}${back}</p>` : `${html}<p>${back}</p>`
  return `<li id="fn:${note.number}" dir="auto">${inside}</li>\n`
}

/** Turns `[^1]` into a link to the note `[^1]: …` at the end of the text. */
export function footnotes(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'footnote', findDefinition, { alt: ['paragraph', 'reference'] })
  markdown.inline.ruler.before('link', 'footnote', findMention)
  markdown.renderer.rules['footnote_ref'] = (tokens, index) => {
    const { number, turn } = tokens[index]!.meta as { number: number; turn: number }
    const id = mentionId(number, turn)
    return `<sup><a href="#fn:${number}" id="${id}" class="footnote-ref">${number}</a></sup>`
  }
}
