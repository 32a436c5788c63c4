/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table can be neither virtualised nor have lanes */
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import type { ReactNode, Ref, RefObject } from 'react'
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
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

/** Layout of the entries in columns. */
export interface CanvasLayout {
  readonly columns: number
  readonly gapPx: number
  /** Height of an entry, in pixels; an estimate if `isMeasured` is set. */
  readonly sizeOf: (entry: Entry) => number
  /** Key that changes when the heights of the entries change. */
  readonly sizeKey: string
  /** Whether the rendered heights are measured. */
  readonly isMeasured?: boolean
}

export interface ItemState {
  readonly isMarked: boolean
  readonly isActive: boolean
}

interface ItemCanvasProps {
  label: string
  layout: CanvasLayout
  /** Row of column headers. */
  head?: ReactNode
  renderItem: (entry: Entry, state: ItemState) => ReactNode
}

/** Number of rows to render beyond each end of the viewport, for one column and for many. */
const OVERSCAN_ROWS = { one: 8, many: 2 } as const

/** Virtualises the list of entries, with the scroll position of the window. */
function useItemVirtualizer(canvas: RefObject<HTMLElement | null>, layout: CanvasLayout) {
  const { entries, order } = useFolderScreen()
  const [scrollMargin, setScrollMargin] = useState(0)
  // The function is memoised, because a new function would make the virtualizer recompute all positions on scroll.
  const keyOf = useCallback((index: number) => order[index] ?? index, [order])
  // oxlint-disable-next-line react/incompatible-library -- only used during rendering
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
    // With these values, the first render already contains the entries.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => window.scrollY,
    // Height that the sticky bars cover at the top.
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
  }, [canvas])
  useEffect(() => virtualizer.measure(), [virtualizer, layout.columns, layout.gapPx, layout.sizeKey])
  return { virtualizer, scrollMargin }
}

/** Renders the entries in the viewport, and handles keys and pointers for all entries. */
export function ItemCanvas({ label, layout, head, renderItem }: ItemCanvasProps) {
  const { entries, selection, order } = useFolderScreen()
  const root = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const activeIndex = selection.active === null ? -1 : order.indexOf(selection.active)
  const { virtualizer, scrollMargin } = useItemVirtualizer(canvas, layout)
  const items = virtualizer.getVirtualItems()
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
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    activeIndex,
    root,
    stepVertically: layout.isMeasured ? (index, step) => stepInLane(geometry().places, index, step) : null,
  })
  const { handlers, band } = useItemPointer({ root, canvas, geometry })
  const drag = useItemDrag()
  // `aria-activedescendant` must name an element that exists.
  const isActiveDrawn = items.some(({ index }) => index === activeIndex)
  return (
    <div
      ref={root}
      role="grid"
      className={styles.root}
      data-headed={Boolean(head) || undefined}
      aria-label={label}
      aria-multiselectable
      aria-rowcount={entries.length}
      aria-activedescendant={isActiveDrawn ? itemId(activeIndex) : undefined}
      // The grid has the focus, and `aria-activedescendant` names the active row.
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
        {items.map((item) => {
          const entry = entries[item.index]
          if (!entry) return null
          return (
            <CanvasRow
              key={item.key}
              ref={layout.isMeasured ? virtualizer.measureElement : undefined}
              entry={entry}
              item={item}
              layout={layout}
              scrollMargin={scrollMargin}
              isMarked={selection.marked.has(entry.path)}
              isActive={item.index === activeIndex}
              renderItem={renderItem}
            />
          )
        })}
        {band && <div className={styles.band} style={band} />}
      </div>
    </div>
  )
}

interface CanvasRowProps extends ItemState {
  ref: Ref<HTMLDivElement> | undefined
  entry: Entry
  item: VirtualItem
  layout: CanvasLayout
  scrollMargin: number
  renderItem: ItemCanvasProps['renderItem']
}

/** Scrolling renders only the rows that appear, because the props of the other rows stay the same. */
const CanvasRow = memo(function CanvasRow({
  ref,
  entry,
  item,
  layout,
  scrollMargin,
  isMarked,
  isActive,
  renderItem,
}: CanvasRowProps) {
  const { columns, gapPx, isMeasured } = layout
  const { t, language } = useT()
  const label = useMemo(() => spokenFacts(entry, { t, language }), [entry, t, language])
  const laneWidth = `(100% - ${(columns - 1) * gapPx}px) / ${columns}`
  return (
    <div
      ref={ref}
      id={itemId(item.index)}
      role="row"
      className={styles.item}
      aria-label={label}
      aria-rowindex={item.index + 1}
      aria-selected={isMarked}
      data-index={item.index}
      data-active={isActive || undefined}
      data-marked={isMarked || undefined}
      data-drop-path={entry.isFolder ? entry.path : undefined}
      style={{
        transform: `translateY(${item.start - scrollMargin}px)`,
        height: isMeasured ? undefined : item.size,
        left: `calc((${laneWidth} + ${gapPx}px) * ${item.lane})`,
        width: `calc(${laneWidth})`,
      }}
    >
      {renderItem(entry, { isMarked, isActive })}
    </div>
  )
})
