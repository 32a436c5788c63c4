import { useEffect, useState } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { OutlineEntry } from '../../../../domains/markdown/render/render.ts'
import styles from './paste-outline.module.css'

interface PasteOutlineProps {
  outline: readonly OutlineEntry[]
}

/** Height of the page's header plus a margin. */
const TOP_PX = 96

/**
 * Returns the index of the last heading above the visible text; -1 if there is none. Headings that are not rendered yet
 * count as below.
 */
function findCurrent(outline: readonly OutlineEntry[]): number {
  let [low, high] = [0, outline.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const heading = document.getElementById(outline[middle]?.id ?? '')
    const isPast = heading !== null && heading.getBoundingClientRect().top <= TOP_PX
    if (isPast) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Scrolls only the list. `scrollIntoView` would also scroll the page. */
function bringIntoList(list: HTMLElement, index: number): void {
  const link = list.querySelectorAll('a')[index]
  if (!link) return
  const [box, room] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  if (box.top < room.top) list.scrollTop -= room.top - box.top
  else if (box.bottom > room.bottom) list.scrollTop += box.bottom - room.bottom
}

/** Index of the current heading, updated on scroll. */
function useCurrent(outline: readonly OutlineEntry[]): number {
  const [current, setCurrent] = useState(-1)
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      setCurrent(findCurrent(outline))
    }
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    onScroll()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('scroll', onScroll)
      cancelAnimationFrame(frame)
    }
  }, [outline])
  return current
}

/** The headings of a text as links. */
export function PasteOutline({ outline }: PasteOutlineProps) {
  const { t } = useT()
  const current = useCurrent(outline)
  const [list, setList] = useState<HTMLElement | null>(null)
  const least = Math.min(...outline.map(({ level }) => level))
  useEffect(() => {
    if (list) bringIntoList(list, current)
  }, [list, current])
  return (
    <nav ref={setList} className={styles.outline} aria-label={t('textView.outline')}>
      <ol>
        {outline.map(({ level, id, text }, index) => (
          <li key={id} style={{ paddingInlineStart: (level - least) * 14 }}>
            <a
              href={`#${id}`}
              title={text}
              aria-current={index === current ? 'location' : undefined}
              onClick={(event) => {
                event.preventDefault()
                const heading = document.getElementById(id)
                heading?.scrollIntoView()
                window.history.replaceState(window.history.state, '', `#${id}`)
                // Moves the focus, so that the keyboard and screen readers continue at the heading.
                heading?.setAttribute('tabindex', '-1')
                heading?.focus({ preventScroll: true })
              }}
            >
              {text || '—'}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
