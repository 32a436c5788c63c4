import type { OutlineEntry } from '../syntax/env.ts'
import { readLongText } from './long-text.ts'
import { type TextFacts, cutMarkdown } from './pieces.ts'
import { sanitise, type Surroundings } from './sanitise.ts'

export { showInPieces } from './show-pieces.ts'
export type { OutlineEntry, TextFacts }

export interface RenderedMarkdown extends TextFacts {
  /** Sanitised HTML, the only HTML from user content that can be inserted into the page. */
  readonly html: string
}

let last: { readonly text: string; readonly rendered: RenderedMarkdown } | null = null

/**
 * Renders Markdown as sanitised HTML. Caches the latest result, because the same text is often rendered again. {@link
 * showInPieces} shows long texts without blocking the page.
 */
export function renderMarkdown(text: string, surroundings: Surroundings | null = null): RenderedMarkdown {
  if (!surroundings && last?.text === text) return last.rendered
  const { pieces, ...facts } = cutMarkdown(text, true)
  const rendered = {
    ...facts,
    html: [...pieces].map((piece) => sanitise(piece, surroundings ?? {})).join(''),
  }
  if (!surroundings) last = { text, rendered }
  return rendered
}

/** Resolves when the start of a long text is available. */
export const beginsLongText = async (text: string): Promise<void> => {
  await readLongText(text).head
}

/** Finds the title and headings of a long text. */
export const findTextFacts = (text: string): Promise<TextFacts> => readLongText(text).facts
