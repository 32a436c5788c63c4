import { useEffect, useState } from 'react'
import { loadMarkdown, loadedMarkdown } from '../lib/markdown/load.ts'
import './prose.css'

interface ProseProps {
  markdown: string
  /** Shown until the renderer has come. */
  fallback: React.ReactNode
}

/** Markdown as formatted text; plain when the renderer cannot be fetched. */
export function Prose({ markdown, fallback }: ProseProps) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loadedMarkdown() ? 'ready' : 'loading')
  useEffect(() => {
    if (state !== 'loading') return undefined
    let isCurrent = true
    const load = async () => {
      const next = await loadMarkdown().then(
        () => 'ready' as const,
        () => 'failed' as const,
      )
      if (isCurrent) setState(next)
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [state])
  const render = loadedMarkdown()
  if (state === 'failed') return <PlainText text={markdown} />
  if (!render) return fallback
  // Sanitised by the renderer, the only maker of such HTML.
  return <div className="dl-prose" dangerouslySetInnerHTML={{ __html: render(markdown).html }} />
}

export function PlainText({ text }: { text: string }) {
  return <pre className="dl-plain">{text}</pre>
}
