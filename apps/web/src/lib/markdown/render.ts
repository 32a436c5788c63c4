import { parser } from './parser.ts'
import { sanitise } from './sanitise.ts'

export interface RenderedMarkdown {
  /** Sanitised: the only HTML of user content that may be put into the page. */
  readonly html: string
  /** Text of the first heading, `null` without one. */
  readonly title: string | null
}

let last: { readonly text: string; readonly rendered: RenderedMarkdown } | null = null

/** The one way from Markdown to HTML. The latest result is kept, because the same text is often shown again. */
export function renderMarkdown(text: string): RenderedMarkdown {
  if (last?.text === text) return last.rendered
  const env = {}
  const tokens = parser.parse(text, env)
  const heading = tokens.findIndex((token) => token.type === 'heading_open')
  const inline = heading === -1 ? undefined : tokens[heading + 1]
  const title =
    inline?.children
      ?.map((child) => child.content)
      .join('')
      .trim() || null
  const rendered = { html: sanitise(parser.renderer.render(tokens, parser.options, env)), title }
  last = { text, rendered }
  return rendered
}
