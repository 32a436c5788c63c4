import type { Token } from 'markdown-it'
import { headingText } from './heading-ids.ts'
import { parser } from './parser.ts'
import { ID_PREFIX, sanitise } from './sanitise.ts'

export interface OutlineEntry {
  /** 1 to 6. */
  readonly level: number
  /** Of the heading in the page, as in `document.getElementById`. */
  readonly id: string
  /** Without marks; may be empty. */
  readonly text: string
}

export interface RenderedMarkdown {
  /** Sanitised: the only HTML of user content that may be put into the page. */
  readonly html: string
  /** Text of the first heading, `null` without one. */
  readonly title: string | null
  /** All headings, in their order. */
  readonly outline: readonly OutlineEntry[]
}

let last: { readonly text: string; readonly rendered: RenderedMarkdown } | null = null

const outlineOf = (tokens: readonly Token[]): OutlineEntry[] =>
  tokens.flatMap((token, index) =>
    token.type === 'heading_open'
      ? [
          {
            level: Number(token.tag.slice(1)),
            id: ID_PREFIX + token.attrGet('id'),
            text: headingText(tokens[index + 1]),
          },
        ]
      : [],
  )

/** The one way from Markdown to HTML. The latest result is kept, because the same text is often shown again. */
export function renderMarkdown(text: string): RenderedMarkdown {
  if (last?.text === text) return last.rendered
  const env = {}
  const tokens = parser.parse(text, env)
  const outline = outlineOf(tokens)
  const html = sanitise(parser.renderer.render(tokens, parser.options, env))
  const rendered = { html, title: outline[0]?.text || null, outline }
  last = { text, rendered }
  return rendered
}
