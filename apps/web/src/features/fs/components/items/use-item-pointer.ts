import type { MouseEvent, PointerEvent, RefObject, TouchEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Corner, Geometry } from '../../models/selection-rectangle.ts'
import { boxOf, touchedBy } from '../../models/selection-rectangle.ts'
import type { Entry } from '../../models/entries.ts'
import { markBand, pointAt, toggle, unmarkAll } from '../../models/selection.ts'
import { useFolderScreen } from '../explorer-context.ts'

const LONG_PRESS_MS = 500
const LONG_PRESS_SLACK_PX = 10
const BAND_SLACK_PX = 5
const EDGE_PX = 48
const SCROLL_STEP_PX = 14

interface ItemPointer {
  root: RefObject<HTMLElement | null>
  canvas: RefObject<HTMLElement | null>
  geometry: () => Geometry
}

interface Band {
  readonly from: Corner
  readonly to: Corner
}

const roleOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-role]')?.dataset['role'] : undefined

/** Clicks, the rubber band, long presses and the context menu of entries, however they are drawn. */
export function useItemPointer({ root, canvas, geometry }: ItemPointer) {
  const screen = useFolderScreen()
  const [band, setBand] = useState<Band | null>(null)
  const latest = useRef({ screen, geometry })
  useEffect(() => {
    latest.current = { screen, geometry }
  })
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; at: Corner } | null>(null)
  const gesture = useRef({ isTouch: false, isClickSpent: false })

  const entryAt = (target: EventTarget): Entry | undefined => {
    const item = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
    return item ? screen.entries[Number(item.dataset['index'])] : undefined
  }
  const endPress = () => {
    if (press.current) clearTimeout(press.current.timer)
    press.current = null
  }
  useEffect(
    () => () => {
      if (press.current) clearTimeout(press.current.timer)
    },
    [],
  )

  const openMenu = (point: Corner, entry: Entry | undefined) => {
    if (!entry) return screen.openMenu(point, [])
    const isMarked = screen.selection.marked.has(entry.path)
    // Under a finger, a mark would begin the marking of several.
    if (!isMarked && !gesture.current.isTouch)
      screen.select((before, order) =>
        pointAt(before, order, { path: entry.path, isRange: false, isToggle: false }),
      )
    return screen.openMenu(point, isMarked ? screen.marked : [entry])
  }

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
    const follow = () => {
      const isAbove = pointer.y < EDGE_PX + 56
      const isBelow = pointer.y > window.innerHeight - EDGE_PX
      if (pointer.isBand && (isAbove || isBelow)) {
        window.scrollBy(0, isAbove ? -SCROLL_STEP_PX : SCROLL_STEP_PX)
        draw()
      }
      frame = requestAnimationFrame(follow)
    }
    const onMove = (move: globalThis.PointerEvent) => {
      pointer.x = move.clientX
      pointer.y = move.clientY
      const distance = Math.hypot(move.clientX - event.clientX, move.clientY - event.clientY)
      pointer.isBand ||= distance > BAND_SLACK_PX
      if (pointer.isBand) draw()
    }
    const onEnd = () => {
      cancelAnimationFrame(frame)
      setBand(null)
      gesture.current.isClickSpent = pointer.isBand
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onEnd)
      window.removeEventListener('pointercancel', onEnd)
    }
    frame = requestAnimationFrame(follow)
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onEnd)
    window.addEventListener('pointercancel', onEnd)
  }

  const onPointerDown = (event: PointerEvent) => {
    const isTouch = event.pointerType !== 'mouse'
    gesture.current = { isTouch, isClickSpent: false }
    if (isTouch) {
      const at = { x: event.clientX, y: event.clientY }
      const entry = entryAt(event.target)
      endPress()
      const timer = setTimeout(() => {
        press.current = null
        gesture.current.isClickSpent = true
        openMenu(at, entry)
      }, LONG_PRESS_MS)
      press.current = { timer, at }
      return
    }
    const isDraggable = event.target instanceof Element && event.target.closest('[draggable="true"]') !== null
    if (event.button === 0 && !isDraggable && roleOf(event.target) === undefined) startBand(event)
  }
  const onPointerMove = (event: PointerEvent) => {
    const at = press.current?.at
    if (at && Math.hypot(event.clientX - at.x, event.clientY - at.y) > LONG_PRESS_SLACK_PX) endPress()
  }
  /** The click that follows a long press would close the menu that it has opened. */
  const onTouchEnd = (event: TouchEvent) => {
    if (gesture.current.isClickSpent) event.preventDefault()
  }
  /** The grid keeps the focus, whatever is clicked in it. */
  const onMouseDown = (event: MouseEvent) => {
    const isDraggable = event.target instanceof Element && event.target.closest('[draggable="true"]') !== null
    if (!isDraggable) event.preventDefault()
    if (roleOf(event.target) !== 'sort') root.current?.focus({ preventScroll: true })
  }
  const onContextMenu = (event: MouseEvent) => {
    if (roleOf(event.target) === 'sort') return
    event.preventDefault()
    // A long press has opened it, or is about to; the key for it is handled with the keys.
    if (gesture.current.isTouch || event.button !== 2) return
    openMenu({ x: event.clientX, y: event.clientY }, entryAt(event.target))
  }

  const onClick = (event: MouseEvent) => {
    const role = roleOf(event.target)
    if (role === 'sort') return
    // A box whose click is refused goes back to what it was, whatever is drawn.
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
    if (gesture.current.isClickSpent) return
    const entry = entryAt(event.target)
    const modifiers = { isRange: event.shiftKey, isToggle: event.ctrlKey || event.metaKey }
    if (!entry) {
      if (!modifiers.isRange && !modifiers.isToggle) screen.select(unmarkAll)
      return
    }
    const { path } = entry
    const isPlain = !modifiers.isRange && !modifiers.isToggle
    if (role === 'menu') {
      const { left, bottom } = (event.target as Element).getBoundingClientRect()
      openMenu({ x: left, y: bottom }, entry)
    } else if (role === 'check') {
      screen.select((before, order) =>
        modifiers.isRange
          ? pointAt(before, order, { path, isRange: true, isToggle: true })
          : toggle(before, path),
      )
    } else if (isPlain && gesture.current.isTouch && screen.marked.length > 0) {
      screen.select((before) => toggle(before, path))
    } else if (isPlain && (role === 'open' || gesture.current.isTouch)) {
      screen.open(entry)
    } else {
      screen.select((before, order) => pointAt(before, order, { path, ...modifiers }))
    }
  }
  const onDoubleClick = (event: MouseEvent) => {
    const entry = entryAt(event.target)
    if (entry && roleOf(event.target) === undefined) screen.open(entry)
  }

  return {
    band: band && boxOf(band.from, band.to),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: endPress,
      onTouchEnd,
      onPointerCancel: endPress,
      onMouseDown,
      onContextMenu,
      onClick,
      onDoubleClick,
    },
  }
}
