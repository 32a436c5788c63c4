/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table cannot be drawn in part, nor in several lanes */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { scaledPx } from '../../../../lib/browser/scaled-px.ts'
import { stepInLane } from '../../models/selection-rectangle.ts'
import type { Entry } from '../../models/entries.ts'
import { spokenFacts } from './entry-facts.ts'
import { useFolderScreen } from '../explorer-context.ts'
import styles from './item-canvas.module.css'
import { useItemDrag } from './use-item-drag.ts'
import { itemId } from './item-id.ts'
import { useItemKeys } from './use-item-keys.ts'
import { useItemPointer } from './use-item-pointer.ts'

/** Where entries lie: in lanes, one below the other in each. */
export interface CanvasLayout {
  readonly columns: number
  readonly gapPx: number
  /** Height of an entry. */
  readonly sizeOf: (entry: Entry) => number
  /** Changes when the heights do. */
  readonly sizeKey: string
  /** Heights are those that the entries turn out to have. */
  readonly isMeasured?: boolean
}

export interface ItemState {
  readonly isMarked: boolean
  readonly isActive: boolean
}

interface ItemCanvasProps {
  label: string
  layout: CanvasLayout
  /** Above the entries: a row of column headers. */
  head?: ReactNode
  renderItem: (entry: Entry, state: ItemState) => ReactNode
}

/** Drawn beyond both ends of the screen: cheap rows, or rows of tiles. */
const OVERSCAN_ROWS = { one: 8, many: 2 } as const

/** Draws the entries that are on the screen, however many there are, and takes keys and pointers for all of them. */
export function ItemCanvas({ label, layout, head, renderItem }: ItemCanvasProps) {
  const screen = useFolderScreen()
  const { entries, selection, order } = screen
  const root = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  const activeIndex = selection.active === null ? -1 : order.indexOf(selection.active)
  // Another function would have the places of all entries computed anew, at every step of a scroll.
  const keyOf = useCallback((index: number) => order[index] ?? index, [order])
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is passed on or cached
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    lanes: layout.columns,
    gap: layout.gapPx,
    estimateSize: (index) => {
      const entry = entries[index]
      return entry ? layout.sizeOf(entry) : 0
    },
    getItemKey: keyOf,
    overscan: layout.columns === 1 ? OVERSCAN_ROWS.one : OVERSCAN_ROWS.many,
    scrollMargin,
    // Known before anything is drawn: the entries come with the first drawing, and not with a second.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => window.scrollY,
    // What is stuck to the top covers what lies there.
    scrollPaddingStart: scaledPx(210),
    scrollPaddingEnd: 16,
    useFlushSync: false,
  })

  useLayoutEffect(() => {
    const measure = () => {
      const top = canvas.current?.getBoundingClientRect().top ?? 0
      setScrollMargin(Math.round(top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  useEffect(() => virtualizer.measure(), [virtualizer, layout.columns, layout.gapPx, layout.sizeKey])

  const words = useT()
  const items = virtualizer.getVirtualItems()
  const scrollTo = (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' })
  const geometry = () => ({
    width: canvas.current?.clientWidth ?? 0,
    columns: layout.columns,
    gapPx: layout.gapPx,
    places: virtualizer.measurementsCache.map(({ start, end, lane }) => ({
      start: start - scrollMargin,
      end: end - scrollMargin,
      lane,
    })),
  })
  const onKeyDown = useItemKeys({
    columns: layout.columns,
    scrollTo,
    activeIndex,
    root,
    stepVertically: layout.isMeasured ? (index, step) => stepInLane(geometry().places, index, step) : null,
  })
  const { handlers, band } = useItemPointer({ root, canvas, geometry })
  const drag = useItemDrag()
  // The row of the keyboard is drawn wherever it is, so that what has the focus exists.
  const isActiveDrawn = items.some(({ index }) => index === activeIndex)
  return (
    <div
      ref={root}
      role="grid"
      className={styles.root}
      aria-label={label}
      aria-multiselectable
      aria-rowcount={entries.length}
      aria-activedescendant={isActiveDrawn ? itemId(activeIndex) : undefined}
      // The grid holds the focus for the row of the keyboard.
      tabIndex={0}
      onKeyDown={onKeyDown}
      {...handlers}
      {...drag}
    >
      {head}
      <div
        ref={canvas}
        role="rowgroup"
        className={styles.canvas}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start, lane, key, size }) => {
          const entry = entries[index]
          if (!entry) return null
          const isMarked = selection.marked.has(entry.path)
          const isActive = index === activeIndex
          const share = `(100% - ${(layout.columns - 1) * layout.gapPx}px) / ${layout.columns}`
          return (
            <div
              key={key}
              ref={layout.isMeasured ? virtualizer.measureElement : undefined}
              id={itemId(index)}
              role="row"
              className={styles.item}
              aria-label={spokenFacts(entry, words)}
              aria-rowindex={index + 1}
              aria-selected={isMarked}
              data-index={index}
              data-active={isActive || undefined}
              data-marked={isMarked || undefined}
              data-drop-path={entry.isFolder ? entry.path : undefined}
              style={{
                transform: `translateY(${start - scrollMargin}px)`,
                height: layout.isMeasured ? undefined : size,
                left: `calc((${share} + ${layout.gapPx}px) * ${lane})`,
                width: `calc(${share})`,
              }}
            >
              {renderItem(entry, { isMarked, isActive })}
            </div>
          )
        })}
        {band && <div className={styles.band} style={band} />}
      </div>
    </div>
  )
}
