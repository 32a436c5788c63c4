import { DOMParser as SchemaParser } from 'prosemirror-model'
import { withoutHandlers } from './pasted-html.ts'
import { schema } from './schema.ts'
import { writeDoc } from './to-markdown.ts'

/** Converts HTML to Markdown. The HTML is only parsed, never inserted into a page. */
export function htmlToMarkdown(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutHandlers(html), 'text/html')
  for (const element of body.querySelectorAll('script, style, template, meta, title')) element.remove()
  return writeDoc(SchemaParser.fromSchema(schema).parse(body))
}
