import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { headingsOf, type SourceHeading } from '../tools/headings.ts'

/** Position of a source line and of its rendering, in pixels from the top of the scrolled content. */
export interface Anchor {
  readonly sourcePx: number
  readonly previewPx: number
}

/** Maps a scroll position between source and preview, by interpolating between the two nearest anchors. */
export function mapPlace(
  anchors: readonly Anchor[],
  at: number,
  { from, to }: { from: keyof Anchor; to: keyof Anchor },
): number {
  const after = anchors.findIndex((anchor) => anchor[from] > at)
  const low = anchors[after === -1 ? anchors.length - 2 : Math.max(0, after - 1)]
  const high = anchors[after === -1 ? anchors.length - 1 : Math.max(1, after)]
  if (!low || !high) return at
  const span = high[from] - low[from]
  const share = span <= 0 ? 0 : (at - low[from]) / span
  return low[to] + share * (high[to] - low[to])
}

interface MadeOf {
  readonly element: HTMLElement
  /** Line number, starting at 1. */
  readonly line: number
}

const known = new WeakMap<Text, readonly SourceHeading[]>()

function headingsIn(doc: Text): readonly SourceHeading[] {
  const headings = known.get(doc) ?? headingsOf(doc.toString())
  known.set(doc, headings)
  return headings
}

/**
 * Returns the preview elements with known source lines. If no element has a line, pairs the headings of source and
 * preview, provided that both have the same number of headings.
 */
function madeOf(doc: Text, preview: HTMLElement): readonly MadeOf[] {
  const lines = [...preview.querySelectorAll<HTMLElement>('[data-line]')]
  if (lines.length > 0) return lines.map((element) => ({ element, line: Number(element.dataset['line']) }))
  const headings = headingsIn(doc)
  const elements = [...preview.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')]
  if (elements.length !== headings.length) return []
  return elements.map((element, index) => ({ element, line: headings[index]?.line ?? 0 }))
}

/**
 * Returns the anchors around the scroll position of one side, plus the top and the end. Measures only a few elements,
 * because each measurement far from the viewport forces a layout there.
 */
function findAnchors(view: EditorView, preview: HTMLElement, who: 'source' | 'preview'): Anchor[] {
  const { doc } = view.state
  const scrolled = preview.getBoundingClientRect().top - preview.scrollTop
  const made = madeOf(doc, preview).filter(
    ({ line }) => Number.isInteger(line) && line >= 1 && line <= doc.lines,
  )
  const sourceOf = ({ line }: MadeOf) => view.lineBlockAt(doc.line(line).from).top
  const previewOf = ({ element }: MadeOf) => element.getBoundingClientRect().top - scrolled
  const [at, placeOf] =
    who === 'source' ? [view.scrollDOM.scrollTop, sourceOf] : [preview.scrollTop, previewOf]
  const after = findFirst(made, (one) => placeOf(one) > at)
  const anchors: Anchor[] = [{ sourcePx: 0, previewPx: 0 }]
  for (const one of made.slice(Math.max(0, after - 1), after + 1)) {
    const anchor = { sourcePx: sourceOf(one), previewPx: previewOf(one) }
    const last = anchors.at(-1)
    if (last && anchor.sourcePx > last.sourcePx && anchor.previewPx > last.previewPx) anchors.push(anchor)
  }
  const last = anchors.at(-1)
  anchors.push({
    sourcePx: Math.max(view.contentHeight, (last?.sourcePx ?? 0) + 1),
    previewPx: Math.max(preview.scrollHeight, (last?.previewPx ?? 0) + 1),
  })
  return anchors
}

/**
 * Returns the index of the first element for which `holds` is true, or the length. Uses binary search, so `holds` must
 * be true for all later elements.
 */
function findFirst<T>(all: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = all[middle]
    if (one !== undefined && holds(one)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Time in ms during which scroll events of the other side are ignored, because the synchronisation itself has caused
 * them.
 */
const ECHO_MS = 120
/**
 * Time in ms after a scroll of the source in which growth of the preview aligns the preview again. After a paste, for
 * example, the end of the document reaches its final position late.
 */
const MADE_WITHIN_MS = 3000
/** Minimum time in ms between two alignments while the preview is rendered in parts. */
const LOOK_EVERY_MS = 150

/**
 * Synchronises the scrolling of source and preview.
 * @returns a function that stops the synchronisation.
 */
export function syncScrolling(view: EditorView, preview: HTMLElement): () => void {
  const source = view.scrollDOM
  let frame = 0
  let look: ReturnType<typeof setTimeout> | undefined
  let mover: 'source' | 'preview' | null = null
  let movedAtMs = 0
  let sourceMovedAtMs = 0
  const align = (who: 'source' | 'preview') => {
    movedAtMs = performance.now()
    const anchors = findAnchors(view, preview, who)
    if (who === 'source') {
      const isAtEnd = source.scrollTop + source.clientHeight >= source.scrollHeight - 1
      const place = mapPlace(anchors, source.scrollTop, { from: 'sourcePx', to: 'previewPx' })
      preview.scrollTop = isAtEnd ? preview.scrollHeight : place
    } else {
      const isAtEnd = preview.scrollTop + preview.clientHeight >= preview.scrollHeight - 1
      const place = mapPlace(anchors, preview.scrollTop, { from: 'previewPx', to: 'sourcePx' })
      source.scrollTop = isAtEnd ? source.scrollHeight : place
    }
  }
  const follow = (who: 'source' | 'preview') => () => {
    const nowMs = performance.now()
    if (mover !== null && mover !== who && nowMs - movedAtMs < ECHO_MS) return
    mover = who
    movedAtMs = nowMs
    if (who === 'source') sourceMovedAtMs = nowMs
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => align(who))
  }
  const made = new MutationObserver(() => {
    if (mover !== 'source' || performance.now() - sourceMovedAtMs > MADE_WITHIN_MS) return
    look ??= setTimeout(() => {
      look = undefined
      if (mover === 'source') align('source')
    }, LOOK_EVERY_MS)
  })
  made.observe(preview, { childList: true, subtree: true })
  const onSource = follow('source')
  const onPreview = follow('preview')
  source.addEventListener('scroll', onSource, { passive: true })
  preview.addEventListener('scroll', onPreview, { passive: true })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(look)
    made.disconnect()
    source.removeEventListener('scroll', onSource)
    preview.removeEventListener('scroll', onPreview)
  }
}
