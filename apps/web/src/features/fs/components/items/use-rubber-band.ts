import type { PointerEvent, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Corner, Geometry } from '../../models/selection-rectangle.ts'
import { boxOf, touchedBy } from '../../models/selection-rectangle.ts'
import { markBand } from '../../models/selection.ts'
import { useFolderScreen } from '../explorer-context.ts'

const BAND_SLACK_PX = 5
const EDGE_PX = 48
const TOP_BAR_PX = 56
const SCROLL_STEP_PX = 14

interface RubberBand {
  canvas: RefObject<HTMLElement | null>
  geometry: () => Geometry
  /** @param isDrawn whether the pointer moved far enough for a band */
  onEnd: (isDrawn: boolean) => void
}

/** Selects the entries that the rubber band touches. Scrolls at the edges of the window. */
export function useRubberBand({ canvas, geometry, onEnd }: RubberBand) {
  const screen = useFolderScreen()
  const [band, setBand] = useState<{ readonly from: Corner; readonly to: Corner } | null>(null)
  const latest = useRef({ screen, geometry })
  useEffect(() => {
    latest.current = { screen, geometry }
  })
  const startBand = (event: PointerEvent) => {
    const host = canvas.current
    if (!host) return
    const corner = (x: number, y: number) => {
      const { left, top } = host.getBoundingClientRect()
      return { x: x - left, y: y - top }
    }
    const from = corner(event.clientX, event.clientY)
    const kept =
      event.ctrlKey || event.metaKey || event.shiftKey ? screen.selection.marked : new Set<string>()
    const pointer = { x: event.clientX, y: event.clientY, isBand: false }
    let frame = 0
    const draw = () => {
      const to = corner(pointer.x, pointer.y)
      const { screen: now, geometry: measure } = latest.current
      setBand({ from, to })
      const touched = touchedBy(measure(), from, to).flatMap((index) => now.entries[index]?.path ?? [])
      now.select((before) => markBand(before, { touched, kept }))
    }
    const scrollAtEdges = () => {
      const isAbove = pointer.y < EDGE_PX + TOP_BAR_PX
      const isBelow = pointer.y > window.innerHeight - EDGE_PX
      if (pointer.isBand && (isAbove || isBelow)) {
        window.scrollBy(0, isAbove ? -SCROLL_STEP_PX : SCROLL_STEP_PX)
        draw()
      }
      frame = requestAnimationFrame(scrollAtEdges)
    }
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      pointer.x = clientX
      pointer.y = clientY
      pointer.isBand ||= Math.hypot(clientX - event.clientX, clientY - event.clientY) > BAND_SLACK_PX
      if (pointer.isBand) draw()
    }
    const end = () => {
      cancelAnimationFrame(frame)
      setBand(null)
      onEnd(pointer.isBand)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
    frame = requestAnimationFrame(scrollAtEdges)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
  }
  return { band: band && boxOf(band.from, band.to), startBand }
}
