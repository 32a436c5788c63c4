import type { Token } from 'markdown-it'
import { ID_PREFIX } from '../syntax/allowed.ts'
import { cutBlocks } from './cut-blocks.ts'
import { type Note, type OutlineEntry, type TextEnv, newEnv } from '../syntax/env.ts'
import { drawNote, takeDefinitions } from '../syntax/footnotes.ts'
import { type FrontMatter, findFrontMatter } from '../syntax/front-matter.ts'
import { anchorOf, headingText, nameGiver } from '../syntax/heading-ids.ts'
import { parser } from '../syntax/parser.ts'

export interface TextFacts {
  /** Text of the first heading, otherwise the title in the front matter; `null` if there is neither. */
  readonly title: string | null
  readonly outline: readonly OutlineEntry[]
}

export interface CutMarkdown extends TextFacts {
  /**
   * HTML of the text in whole blocks, rendered during iteration. `strict.ts` has restricted the HTML, but the caller
   * must sanitise it before inserting it into the page.
   */
  readonly pieces: Iterable<string>
}

/**
 * Limits of a piece, in characters of HTML. Where a piece ends depends on the content, so that a change shifts few
 * other pieces.
 */
const SMALLEST_PIECE = 2_000
const LARGEST_PIECE = 8_000

const { escapeHtml } = parser.utils

function drawFrontMatter({ facts, source }: FrontMatter): string {
  if (!facts) return `<pre><code class="language-yaml">${escapeHtml(source)}</code></pre>\n`
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th dir="auto">${escapeHtml(name)}</th><td dir="auto">${escapeHtml(value)}</td></tr>`,
  )
  return `<table class="front-matter"><tbody>${rows.join('')}</tbody></table>\n`
}

/** Sets the ID of each heading and returns all headings. */
function findOutline(tokens: readonly Token[]): OutlineEntry[] {
  const giveName = nameGiver()
  const env = newEnv()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    const state = new parser.core.State('', parser, env)
    const children: Token[] = []
    state.md.inline.parse(tokens[index + 1]?.content ?? '', parser, env, children)
    const text = headingText(children)
    const name = giveName(anchorOf(text) || 'section')
    token.attrSet('id', name)
    return [{ level: Number(token.tag.slice(1)), id: ID_PREFIX + name, text }]
  })
}

/** Renders blocks with their content. */
function draw(tokens: Token[], env: TextEnv): string {
  const state = new parser.core.State('', parser, env)
  state.tokens = tokens
  parser.core.process(state)
  return parser.renderer.render(state.tokens, parser.options, env)
}

/**
 * Yields the notes in order of first reference. Notes that only other notes reference come last. Notes can refer to
 * each other.
 */
function* drawNotes(env: TextEnv): Generator<string> {
  const drawn: Note[] = []
  const html = new Map<Note, string>()
  // The iteration also visits notes that the loop itself adds to the map.
  for (const note of env.notes.values()) {
    html.set(note, draw([...note.tokens], env))
    drawn.push(note)
  }
  for (const note of drawn) yield drawNote(note, html.get(note) ?? '')
}

/** Whether a piece can end after this block, based on a hash of the content. */
function isCutHere(html: string): boolean {
  let sum = html.length
  for (let index = 0; index < html.length; index += 97) sum = (sum * 31 + html.charCodeAt(index)) % 65_521
  return sum % 4 === 0
}

function* join(blocks: Iterable<string>): Generator<string> {
  let piece = ''
  for (const block of blocks) {
    piece += block
    const isFull = piece.length >= LARGEST_PIECE
    if (!isFull && (piece.length < SMALLEST_PIECE || !isCutHere(block))) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

interface Reading {
  readonly frontMatter: FrontMatter | null
  readonly tokens: readonly Token[]
  readonly env: TextEnv
  readonly isWhole: boolean
}

function* drawBlocks({ frontMatter, tokens, env, isWhole }: Reading) {
  if (frontMatter) yield drawFrontMatter(frontMatter)
  for (const block of cutBlocks(tokens, isWhole)) yield draw(block, env)
}

function* drawAll(reading: Reading) {
  const { env } = reading
  yield* join(drawBlocks(reading))
  let start = 1
  for (const items of join(drawNotes(env))) {
    yield `<ol class="footnotes" start="${start}">${items}</ol>\n`
    start += items.split('<li id="fn:').length - 1
  }
}

/** Length of the start that is shown before the whole text is parsed. */
const HEAD_CHARACTERS = 16_000

/**
 * Renders the start of a long text early. Lacks links and notes that are defined farther down. Ends before the table of
 * contents, if there is one. Omits the last piece, which can end inside a block.
 */
export function cutHead(text: string): readonly string[] {
  const pieces = [...cutMarkdown(text.slice(0, HEAD_CHARACTERS)).pieces].slice(0, -1)
  const contentsAt = pieces.findIndex((piece) => piece.includes('<nav'))
  return contentsAt === -1 ? pieces : pieces.slice(0, contentsAt)
}

/**
 * Parses a text: headings at once, HTML in pieces.
 * @param isWhole does not cut lists, tables and paragraphs
 */
export function cutMarkdown(text: string, isWhole = false): CutMarkdown {
  const frontMatter = findFrontMatter(text)
  const source = (frontMatter ? text.slice(frontMatter.length) : text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
  const env = newEnv()
  const blocks: Token[] = []
  parser.block.parse(source, parser, env, blocks)
  const tokens = takeDefinitions(blocks, env)
  const outline = findOutline(tokens)
  env.outline = outline
  const named = frontMatter?.facts?.find(([name]) => name.toLowerCase() === 'title')?.[1]
  const pieces = drawAll({ frontMatter, tokens, env, isWhole })
  return { title: outline[0]?.text || named || null, outline, pieces }
}
