import { useEffect, useState } from 'react'
import { LONG_MARKDOWN_CHARACTERS, loadRenderer, loadedMarkdown } from '../render/load.ts'
import type { TextFacts } from '../render/render.ts'

/**
 * Returns the title and headings of a Markdown text, or `null` until they are known or if the renderer cannot be
 * loaded.
 */
export function useTextFacts(markdown: string): TextFacts | null {
  const isLong = markdown.length > LONG_MARKDOWN_CHARACTERS
  const atOnce = isLong ? null : (loadedMarkdown()?.(markdown) ?? null)
  const [later, setLater] = useState<{ readonly markdown: string; readonly facts: TextFacts } | null>(null)
  const isKnown = atOnce !== null || later?.markdown === markdown
  useEffect(() => {
    if (isKnown) return undefined
    let isCurrent = true
    const find = async () => {
      const { renderMarkdown, findTextFacts } = await loadRenderer()
      const facts = isLong ? await findTextFacts(markdown) : renderMarkdown(markdown)
      if (isCurrent) setLater({ markdown, facts })
    }
    // Ignores the error, because the text component shows that the renderer cannot be loaded.
    find().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [markdown, isLong, isKnown])
  return atOnce ?? (later?.markdown === markdown ? later.facts : null)
}
