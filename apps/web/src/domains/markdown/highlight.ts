import type hljs from 'highlight.js/lib/common'

type Highlighter = typeof hljs

/** Language names for code without colours. */
const PLAIN = new Set(['text', 'txt', 'plain', 'plaintext', 'none', 'output', 'mermaid', 'math'])
/** Longer code has no colours, because highlighting it would block the page. */
export const HIGHLIGHTED_MAX_CHARACTERS = 100_000
const REMEMBERED = 200

/** The most common languages first; all others are ten times as large. */
const SETS: readonly (() => Promise<{ default: Highlighter }>)[] = [
  () => import('highlight.js/lib/common'),
  () => import('highlight.js'),
]

async function findHighlighter(language: string): Promise<Highlighter | null> {
  for (const load of SETS) {
    const { default: highlighter } = await load()
    // Lets the page respond after each highlighting.
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (highlighter.getLanguage(language)) return highlighter
  }
  return null
}

/** Cache of this page in order of use: a preview renders the same text again with every key. */
const remembered = new Map<string, string>()

function remember(key: string, html: string): string {
  remembered.delete(key)
  remembered.set(key, html)
  const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
  return html
}

const keyOf = (code: string, language: string) => `${language}\n${code}`

/** The cached HTML of code, if there is one. */
export const highlightedBefore = (code: string, language: string): string | null =>
  remembered.get(keyOf(code, language)) ?? null

/**
 * Highlights code by a language name or alias of highlight.js.
 * @returns escaped HTML with `span`s that only have classes; `null` for an unknown language, or above {@link
 * HIGHLIGHTED_MAX_CHARACTERS}.
 */
export async function highlight(code: string, language: string): Promise<string | null> {
  const name = language.toLowerCase()
  if (PLAIN.has(name) || code.length > HIGHLIGHTED_MAX_CHARACTERS) return null
  const highlighter = await findHighlighter(name)
  if (!highlighter) return null
  const html = highlighter.highlight(code, { language: name, ignoreIllegals: true }).value
  return remember(keyOf(code, language), html)
}
