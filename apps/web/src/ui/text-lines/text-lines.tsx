import { useEffect, useLayoutEffect, useRef } from 'react'
import { drawLines, type DrawnLines } from './draw-lines.ts'
import type { LineRange } from './line-range.ts'

interface TextLinesProps {
  /** The text must not change. Another text needs another `key`. */
  text: string
  label: string
  isWrapped: boolean
  marked: LineRange | null
  /** Called when a line number is clicked; `isRange` with Shift. */
  onMark: (line: number, isRange: boolean) => void
}

/** Highlights lines; returns a function that removes the highlight. */
function mark(drawn: DrawnLines, range: LineRange | null): () => void {
  const lines = range === null ? [] : drawn.slice(range.first - 1, range.last)
  for (const line of lines) line.dataset['marked'] = ''
  return () => {
    for (const line of lines) delete line.dataset['marked']
  }
}

/** Plain text with line numbers, which select lines on click. */
export function TextLines({ text, label, isWrapped, marked, onMark }: TextLinesProps) {
  const root = useRef<HTMLElement>(null)
  const drawn = useRef<DrawnLines>([])
  const first = useRef(marked)
  useLayoutEffect(() => {
    if (!root.current) return undefined
    const gone = new AbortController()
    const { current: begin } = first
    drawn.current = drawLines(root.current, text, {
      signal: gone.signal,
      ...(begin && { until: begin.last }),
    })
    return () => gone.abort()
  }, [text])
  useLayoutEffect(() => mark(drawn.current, marked), [marked])
  useEffect(() => {
    // Scrolls only to a selection from the URL or a link, because a clicked line number is already visible.
    const line = marked && drawn.current[marked.first - 1]
    const box = line?.getBoundingClientRect()
    const isSeen = box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight
    if (!isSeen) line?.scrollIntoView({ block: 'center' })
  }, [marked])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the dialog for a line does the same
    <section
      ref={root}
      aria-label={label}
      data-unwrapped={isWrapped ? undefined : ''}
      // The element is focusable if it scrolls, so that the keyboard can scroll it.
      tabIndex={isWrapped ? undefined : 0}
      onClick={(event) => {
        const line = (event.target as HTMLElement).closest<HTMLElement>('.dl-line')
        if (!line || !root.current || !isInGutter(event.clientX, root.current)) return
        onMark(drawn.current.indexOf(line) + 1, event.shiftKey)
      }}
    />
  )
}

/** Whether a click is on the line numbers, which are generated content and not elements. */
function isInGutter(clientX: number, root: HTMLElement): boolean {
  const line = root.querySelector('.dl-line')
  if (!line) return false
  const { left } = root.getBoundingClientRect()
  const width = Number.parseFloat(getComputedStyle(line, '::before').width)
  return clientX - left <= width + 12
}
