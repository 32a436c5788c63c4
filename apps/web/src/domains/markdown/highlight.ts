import type hljs from 'highlight.js/lib/common'

type Highlighter = typeof hljs

/** Language names for code that is not highlighted. */
const PLAIN = new Set(['text', 'txt', 'plain', 'plaintext', 'none', 'output', 'mermaid', 'math'])
/** Maximum length for highlighting; longer code would block the page. */
export const HIGHLIGHTED_MAX_CHARACTERS = 100_000
const REMEMBERED = 200

/**
 * Sets of languages in the order of loading. The set of all languages is about five times as large as the set of common
 * ones.
 */
const SETS: readonly (() => Promise<{ default: Highlighter }>)[] = [
  () => import('highlight.js/lib/common'),
  () => import('highlight.js'),
]

async function findHighlighter(language: string): Promise<Highlighter | null> {
  for (const load of SETS) {
    const { default: highlighter } = await load()
    // Yields to the event loop before each highlighting, so that the page stays responsive.
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (highlighter.getLanguage(language)) return highlighter
  }
  return null
}

/** Cache of highlighted code, oldest first. A preview renders the same code again after each key press. */
const remembered = new Map<string, string>()

function remember(key: string, html: string): string {
  remembered.delete(key)
  remembered.set(key, html)
  const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
  return html
}

const keyOf = (code: string, language: string) => `${language}\n${code}`

/** Returns the cached HTML of highlighted code, or `null`. */
export const highlightedBefore = (code: string, language: string): string | null =>
  remembered.get(keyOf(code, language)) ?? null

/**
 * Highlights code by a language name or alias of highlight.js.
 * @returns escaped HTML with `span` elements that have only classes. Returns `null` for an unknown or plain language
 * and for code longer than {@link HIGHLIGHTED_MAX_CHARACTERS}.
 * @throws if the highlighter cannot be loaded
 */
export async function highlight(code: string, language: string): Promise<string | null> {
  const name = language.toLowerCase()
  if (PLAIN.has(name) || code.length > HIGHLIGHTED_MAX_CHARACTERS) return null
  const highlighter = await findHighlighter(name)
  if (!highlighter) return null
  const html = highlighter.highlight(code, { language: name, ignoreIllegals: true }).value
  return remember(keyOf(code, language), html)
}
