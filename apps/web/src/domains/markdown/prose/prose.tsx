import { Suspense, lazy, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { copyText } from '../../../lib/browser/clipboard.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import {
  LONG_MARKDOWN_CHARACTERS,
  loadRenderer,
  loadedMarkdown,
  loadedRenderer,
  noteDrawing,
} from '../render/load.ts'
import type { RelativeFiles } from '../render/relative-links.ts'
import { notify } from '../../../lib/notices.ts'
import { madeHtml } from '../../../lib/browser/trusted-types.ts'
import type { Enhancer, ProseView } from './enhance/enhance.ts'
import './prose.css'

const ProseDialog = lazy(async () => {
  const { ProseDialog: Dialog } = await import('./enhance/prose-dialog.tsx')
  return { default: Dialog }
})

export interface ProseProps {
  markdown: string
  /** Shown until the renderer is loaded. */
  fallback: React.ReactNode
  /** If set, blocks images and recordings from other hosts. Called with the names of these hosts. */
  onLeftOut?: (hosts: ReadonlySet<string>) => void
  /** Files that relative URLs in the text can reference. */
  beside?: RelativeFiles | null
}

/** Shows formatted Markdown, or plain text if the renderer cannot be loaded. */
export function Prose({ markdown, fallback, onLeftOut, beside = null }: ProseProps) {
  const { language } = useT()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loadedMarkdown() ? 'ready' : 'loading')
  useEffect(() => {
    if (state !== 'loading') return undefined
    let isCurrent = true
    const load = async () => {
      const next = await loadRenderer().then(
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
  // The key is the language, because buttons in the text have labels. A language change renders the text again.
  if (markdown.length > LONG_MARKDOWN_CHARACTERS)
    return <LongText key={language} text={markdown} onLeftOut={onLeftOut} beside={beside} />
  if (onLeftOut || beside)
    return <TextWithin key={language} text={markdown} onLeftOut={onLeftOut} beside={beside} />
  return <ShortText key={language} html={render(markdown).html} />
}

interface TextWithinProps {
  text: string
  onLeftOut: ProseProps['onLeftOut']
  beside: RelativeFiles | null
}

/** Resolves relative links. Blocks content from other hosts if `onLeftOut` is set. */
function TextWithin({ text, onLeftOut, beside }: TextWithinProps) {
  const isWithout = onLeftOut !== undefined
  const { html, hosts } = useMemo(() => {
    const found = isWithout ? new Set<string>() : null
    return { html: loadedMarkdown()?.(text, { hosts: found, beside }).html ?? '', hosts: found }
  }, [text, isWithout, beside])
  useEffect(() => {
    if (hosts) onLeftOut?.(hosts)
  }, [hosts, onLeftOut])
  return <ShortText html={html} beside={beside} />
}

async function copyAndTell(text: string): Promise<void> {
  if (await copyText(text)) notify('success', i18n.t('common.copied'), { topic: 'copied' })
  else notify('error', i18n.t('common.copyFailed'))
}

/** Loads the enhancer, which is a separate chunk. */
function useEnhancer(beside: RelativeFiles | null) {
  const { language } = useT()
  const [view, setView] = useState<ProseView | null>(null)
  const enhance = async (root: HTMLElement, signal: AbortSignal): Promise<Enhancer> => {
    const { makeEnhancer } = await import('./enhance/enhance.ts')
    return makeEnhancer(root, {
      language,
      copyText: (text) => void copyAndTell(text),
      open: setView,
      beside,
      signal,
    })
  }
  const dialog = view && (
    <Suspense>
      <ProseDialog view={view} onClose={() => setView(null)} />
    </Suspense>
  )
  return { enhance, dialog }
}

const NEEDS_DRESS = /<(?:pre|code|img|video|audio)|class="footnote|data-beside/

/** Shows HTML that the renderer has sanitised. */
function ShortText({ html, beside = null }: { html: string; beside?: RelativeFiles | null }) {
  const shown = useMemo(() => ({ __html: madeHtml(html) }), [html])
  const root = useRef<HTMLDivElement>(null)
  const { enhance, dialog } = useEnhancer(beside)
  // This is a layout effect, because a preview renders its text again after each key press. Cached results must be
  // applied before the browser paints.
  useLayoutEffect(() => {
    const element = root.current
    if (!element || !NEEDS_DRESS.test(html)) return undefined
    const gone = new AbortController()
    // Ignores errors, because the text is readable without enhancements.
    enhance(element, gone.signal)
      .then((enhancer) => (gone.signal.aborted ? undefined : enhancer.enhanceWhole()))
      .catch(() => undefined)
    return () => gone.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- a text is enhanced once
  }, [html])
  return (
    <>
      <div ref={root} className="dl-prose" dangerouslySetInnerHTML={shown} />
      {dialog}
    </>
  )
}

/**
 * Scrolls to the target of the URL's fragment when the part that contains the target appears. Does nothing if the
 * user has scrolled.
 */
function showIfNamed(piece: HTMLElement): void {
  if (window.location.hash.length < 2 || window.scrollY > 0) return
  const isNamed = ({ id }: Element) => `#${encodeURIComponent(id)}` === encodedHash()
  ;[...piece.querySelectorAll('[id]')].find(isNamed)?.scrollIntoView()
}

/** Returns the fragment of the URL in encoded form. A URL can contain the fragment encoded or unencoded. */
function encodedHash(): string {
  const name = window.location.hash.slice(1)
  try {
    return `#${encodeURIComponent(decodeURIComponent(name))}`
  } catch {
    return `#${encodeURIComponent(name)}`
  }
}

/** Renders a long text part by part. Unchanged parts keep their elements. */
function LongText({ text, onLeftOut, beside }: TextWithinProps) {
  const root = useRef<HTMLDivElement>(null)
  const { enhance, dialog } = useEnhancer(beside)
  const shown = useRef<{ readonly gone: AbortController; readonly enhancer: Promise<Enhancer | null> }>(null)
  useEffect(
    () => () => {
      shown.current?.gone.abort()
      shown.current = null
    },
    [],
  )
  useLayoutEffect(() => {
    const element = root.current
    const renderer = loadedRenderer()
    if (!element || !renderer) return undefined
    const gone = new AbortController()
    if (!shown.current) {
      const controller = new AbortController()
      const enhancer = enhance(element, controller.signal).catch(() => null)
      shown.current = { gone: controller, enhancer }
    }
    const { enhancer } = shown.current
    const enhancePiece = (piece: HTMLElement) => {
      showIfNamed(piece)
      void enhancer.then((made) => made?.enhancePiece(piece))
    }
    const drawing = renderer.showInPieces(element, text, {
      signal: gone.signal,
      onPiece: enhancePiece,
      onLeftOut,
      beside,
    })
    noteDrawing(drawing)
    drawing.catch(reportError)
    return () => gone.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- a text is enhanced once
  }, [text])
  return (
    <>
      <div ref={root} className="dl-prose" />
      {dialog}
    </>
  )
}

export function PlainText({ text }: { text: string }) {
  return <pre className="dl-plain">{text}</pre>
}
