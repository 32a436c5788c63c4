import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { copyText } from '../lib/clipboard.ts'
import { i18n } from '../lib/i18n/i18n.ts'
import { useT } from '../lib/i18n/use-translation.ts'
import { loadMarkdown, loadedMarkdown } from '../lib/markdown/load.ts'
import { notify } from '../lib/notices.ts'
import './prose.css'

interface ProseProps {
  markdown: string
  /** Shown until the renderer has come. */
  fallback: React.ReactNode
}

/** Markdown as formatted text; plain when the renderer cannot be fetched. */
export function Prose({ markdown, fallback }: ProseProps) {
  const { language } = useT()
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
  // Made anew in another language, for the words on its buttons.
  return <Rendered key={language} html={render(markdown).html} />
}

async function copyOrTell(text: string): Promise<boolean> {
  const hasWorked = await copyText(text)
  if (!hasWorked) notify('error', i18n.t('common.copyFailed'))
  return hasWorked
}

/** HTML of the renderer, which has sanitised it and is the only maker of such. */
function Rendered({ html }: { html: string }) {
  const { t } = useT()
  const root = useRef<HTMLDivElement>(null)
  // Before it is seen: the preview of an editor draws its text anew with every key.
  useLayoutEffect(() => {
    const element = root.current
    if (!element || !html.includes('<pre')) return undefined
    const gone = new AbortController()
    const dress = async () => {
      const { dressCodeBlocks } = await import('./code-blocks/code-blocks.ts')
      const words = {
        copy: t('common.copy'),
        copied: t('common.copied'),
        showAll: (number: number) => t('paste.code.showAll', { number }),
        showLess: t('paste.code.showLess'),
      }
      await dressCodeBlocks(element, { words, copyText: copyOrTell, signal: gone.signal })
    }
    // Code stays plain where its colours cannot be fetched.
    dress().catch(() => undefined)
    return () => gone.abort()
  }, [html, t])
  return <div ref={root} className="dl-prose" dangerouslySetInnerHTML={{ __html: html }} />
}

export function PlainText({ text }: { text: string }) {
  return <pre className="dl-plain">{text}</pre>
}
