import type hljs from 'highlight.js/lib/common'

type Highlighter = typeof hljs

/** Names that writers give to code that is to stay as it is. */
const PLAIN = new Set(['text', 'txt', 'plain', 'plaintext', 'none', 'output', 'mermaid', 'math'])
/** Longer code would hold the page up while it is read. */
export const HIGHLIGHTED_MAX_CHARACTERS = 100_000
const REMEMBERED = 200

/** The languages of most texts first; those of all others are ten times as much to fetch. */
const SETS: readonly (() => Promise<{ default: Highlighter }>)[] = [
  () => import('highlight.js/lib/common'),
  () => import('highlight.js'),
]

async function findHighlighter(language: string): Promise<Highlighter | null> {
  for (const load of SETS) {
    const { default: highlighter } = await load()
    // Where it has just been run, the page answers first.
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (highlighter.getLanguage(language)) return highlighter
  }
  return null
}

/** Of this page, the last used at the end: the same text is drawn again with every key in the preview of an editor. */
const remembered = new Map<string, string>()

function remember(key: string, html: string): string {
  remembered.delete(key)
  remembered.set(key, html)
  const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
  return html
}

const keyOf = (code: string, language: string) => `${language}\n${code}`

/** What was made of the code before, if it still is remembered. */
export const highlightedBefore = (code: string, language: string): string | null =>
  remembered.get(keyOf(code, language)) ?? null

/**
 * Colours code by its language, whose name or alias is that of highlight.js.
 * @returns the code as HTML, escaped, with `span`s that have classes and nothing else; `null` where it is to stay as it is:
 * for an unknown language, and above {@link HIGHLIGHTED_MAX_CHARACTERS}.
 */
export async function highlight(code: string, language: string): Promise<string | null> {
  const name = language.toLowerCase()
  if (PLAIN.has(name) || code.length > HIGHLIGHTED_MAX_CHARACTERS) return null
  const highlighter = await findHighlighter(name)
  if (!highlighter) return null
  const html = highlighter.highlight(code, { language: name, ignoreIllegals: true }).value
  return remember(keyOf(code, language), html)
}
