import { useEffect, useLayoutEffect, useRef } from 'react'
import { drawLines, type DrawnLines } from './draw-lines.ts'
import type { LineRange } from './line-range.ts'

interface TextLinesProps {
  /** Stays as it is: another text is another component (`key`). */
  text: string
  label: string
  isWrapped: boolean
  marked: LineRange | null
  /** A number was pressed; with Shift a range is meant. */
  onMark: (line: number, isRange: boolean) => void
}

/** Shows what is marked, and takes the marks away again. */
function mark(drawn: DrawnLines, range: LineRange | null): () => void {
  const lines = range === null ? [] : drawn.slice(range.first - 1, range.last)
  for (const line of lines) line.dataset['marked'] = ''
  return () => {
    for (const line of lines) delete line.dataset['marked']
  }
}

/** A plain text with numbered lines, which are marked by pressing their numbers. */
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
    // Only what the address named when the page was opened, or names by another link: a pressed number is seen already.
    const line = marked && drawn.current[marked.first - 1]
    const box = line?.getBoundingClientRect()
    const isSeen = box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight
    if (!isSeen) line?.scrollIntoView({ block: 'center' })
  }, [marked])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the field for a line does the same
    <section
      ref={root}
      aria-label={label}
      data-unwrapped={isWrapped ? undefined : ''}
      // Where it is moved aside, the keyboard can do it too.
      tabIndex={isWrapped ? undefined : 0}
      onClick={(event) => {
        const line = (event.target as HTMLElement).closest<HTMLElement>('.dl-line')
        if (!line || !root.current || !isInGutter(event.clientX, root.current)) return
        onMark(drawn.current.indexOf(line) + 1, event.shiftKey)
      }}
    />
  )
}

/** The numbers are no elements of their own. */
function isInGutter(clientX: number, root: HTMLElement): boolean {
  const line = root.querySelector('.dl-line')
  if (!line) return false
  const { left } = root.getBoundingClientRect()
  const width = Number.parseFloat(getComputedStyle(line, '::before').width)
  return clientX - left <= width + 12
}
