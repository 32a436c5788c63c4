import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { dropIndex } from '../models/mount-order.ts'

interface Drag {
  readonly from: number
  readonly to: number
  /** Distance that the pointer has moved, in pixels. */
  readonly distance: number
  /** Distance by which the other rows move, in pixels. */
  readonly room: number
}

interface Start {
  readonly pageY: number
  readonly middles: readonly number[]
}

const EDGE = 72
const SCROLL_STEP = 14

function scrollAtEdge(clientY: number): void {
  if (clientY < EDGE) window.scrollBy(0, -SCROLL_STEP)
  else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, SCROLL_STEP)
}

/** Reorders the rows of a list by dragging a handle with mouse, pen or finger. Esc cancels. */
export function useRowDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const start = useRef<Start | null>(null)
  const isDragging = drag !== null
  useEffect(() => {
    if (!isDragging) return undefined
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(null)
    }
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [isDragging])

  const begin = (event: PointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0 || !list.current) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const rects = [...list.current.children].map((row) => row.getBoundingClientRect())
    const gap = (rects[1]?.top ?? 0) - (rects[0]?.bottom ?? 0)
    start.current = {
      pageY: event.pageY,
      middles: rects.map(({ top, height }) => top + window.scrollY + height / 2),
    }
    setDrag({ from, to: from, distance: 0, room: (rects[from]?.height ?? 0) + gap })
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (!drag || !start.current) return
    scrollAtEdge(event.clientY)
    const { pageY, middles } = start.current
    const distance = event.pageY - pageY
    const at = (middles[drag.from] ?? 0) + distance
    setDrag({ ...drag, distance, to: dropIndex(middles, drag.from, at) })
  }
  const end = () => {
    setDrag(null)
    if (drag && drag.to !== drag.from) onMove(drag.from, drag.to)
  }

  const shiftOf = (index: number): number => {
    if (!drag) return 0
    if (index === drag.from) return drag.distance
    if (index > drag.from && index <= drag.to) return -drag.room
    return index < drag.from && index >= drag.to ? drag.room : 0
  }
  return {
    gripProps: (index: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => begin(event, index),
      onPointerMove: follow,
      onPointerUp: end,
      onPointerCancel: () => setDrag(null),
    }),
    /** Props for each row during a drag. */
    rowProps: (index: number) =>
      drag
        ? {
            style: { transform: `translateY(${shiftOf(index)}px)` },
            'data-dragged': index === drag.from || undefined,
          }
        : {},
    isDragging,
  }
}
