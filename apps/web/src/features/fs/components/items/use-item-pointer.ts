import type { MouseEvent, PointerEvent, RefObject, TouchEvent } from 'react'
import { useRef } from 'react'
import type { Corner, Geometry } from '../../models/selection-rectangle.ts'
import type { Entry } from '../../models/entries.ts'
import { pointAt, toggle, unmarkAll } from '../../models/selection.ts'
import { type FolderScreen, useFolderScreen } from '../explorer-context.ts'
import { useLongPress } from './use-long-press.ts'
import { useRubberBand } from './use-rubber-band.ts'

interface ItemPointer {
  root: RefObject<HTMLElement | null>
  canvas: RefObject<HTMLElement | null>
  geometry: () => Geometry
}

const roleOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-role]')?.dataset['role'] : undefined

const isDraggable = (target: EventTarget) =>
  target instanceof Element && target.closest('[draggable="true"]') !== null

function entryAt(target: EventTarget, entries: readonly Entry[]): Entry | undefined {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return item ? entries[Number(item.dataset['index'])] : undefined
}

interface Gesture {
  readonly isTouch: boolean
  /**
   * Whether the press has become a long press or a rubber-band selection. The click that follows the press then does
   * nothing.
   */
  readonly isClickSpent: boolean
}

function openMenuAt(screen: FolderScreen, point: Corner, entry: Entry | undefined, isTouch: boolean) {
  if (!entry) return screen.openMenu(point, [])
  const isMarked = screen.selection.marked.has(entry.path)
  // A touch does not select the entry, because a selected entry starts the mode in which every touch selects.
  if (!isMarked && !isTouch)
    screen.select((before, order) =>
      pointAt(before, order, { path: entry.path, isRange: false, isToggle: false }),
    )
  return screen.openMenu(point, isMarked ? screen.marked : [entry])
}

function clickEntry(screen: FolderScreen, event: MouseEvent, entry: Entry, isTouch: boolean) {
  const role = roleOf(event.target)
  const { path } = entry
  const modifiers = { isRange: event.shiftKey, isToggle: event.ctrlKey || event.metaKey }
  const isPlain = !modifiers.isRange && !modifiers.isToggle
  if (role === 'menu') {
    const { left, bottom } = (event.target as Element).getBoundingClientRect()
    openMenuAt(screen, { x: left, y: bottom }, entry, isTouch)
  } else if (role === 'check') {
    screen.select((before, order) =>
      modifiers.isRange
        ? pointAt(before, order, { path, isRange: true, isToggle: true })
        : toggle(before, path),
    )
  } else if (isPlain && isTouch && screen.marked.length > 0) {
    screen.select((before) => toggle(before, path))
  } else if (isPlain && (role === 'open' || isTouch)) {
    screen.open(entry)
  } else {
    screen.select((before, order) => pointAt(before, order, { path, ...modifiers }))
  }
}

/** Handles clicks, the rubber band, long presses and the context menu of entries in every view. */
export function useItemPointer({ root, canvas, geometry }: ItemPointer) {
  const screen = useFolderScreen()
  const press = useLongPress()
  const gesture = useRef<Gesture>({ isTouch: false, isClickSpent: false })
  const spendClick = (isClickSpent: boolean) => {
    gesture.current = { ...gesture.current, isClickSpent }
  }
  const { band, startBand } = useRubberBand({ canvas, geometry, onEnd: spendClick })

  const onPointerDown = (event: PointerEvent) => {
    const isTouch = event.pointerType !== 'mouse'
    gesture.current = { isTouch, isClickSpent: false }
    if (isTouch) {
      const at = { x: event.clientX, y: event.clientY }
      const entry = entryAt(event.target, screen.entries)
      press.start(at, () => {
        spendClick(true)
        openMenuAt(screen, at, entry, gesture.current.isTouch)
      })
    } else if (event.button === 0 && !isDraggable(event.target) && roleOf(event.target) === undefined)
      startBand(event)
  }
  /** Prevents the click that follows a long press, because it would close the menu that the press has opened. */
  const onTouchEnd = (event: TouchEvent) => {
    if (gesture.current.isClickSpent) event.preventDefault()
  }
  /** Keeps the focus on the grid when the user clicks inside it. */
  const onMouseDown = (event: MouseEvent) => {
    if (!isDraggable(event.target)) event.preventDefault()
    if (roleOf(event.target) !== 'sort') root.current?.focus({ preventScroll: true })
  }
  const onContextMenu = (event: MouseEvent) => {
    if (roleOf(event.target) === 'sort') return
    event.preventDefault()
    // Ignores events of touches and of the menu key, because the long press and `useItemKeys` handle them.
    if (gesture.current.isTouch || event.button !== 2) return
    const point = { x: event.clientX, y: event.clientY }
    openMenuAt(screen, point, entryAt(event.target, screen.entries), false)
  }
  const onClick = (event: MouseEvent) => {
    if (roleOf(event.target) === 'sort') return
    // Checkboxes are excluded, because `preventDefault` would reset them to their old state.
    if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
    if (gesture.current.isClickSpent) return
    const entry = entryAt(event.target, screen.entries)
    if (entry) clickEntry(screen, event, entry, gesture.current.isTouch)
    else if (!event.shiftKey && !event.ctrlKey && !event.metaKey) screen.select(unmarkAll)
  }
  const onDoubleClick = (event: MouseEvent) => {
    const entry = entryAt(event.target, screen.entries)
    if (entry && roleOf(event.target) === undefined) screen.open(entry)
  }

  return {
    band,
    handlers: {
      onPointerDown,
      onPointerMove: (event: PointerEvent) => press.move({ x: event.clientX, y: event.clientY }),
      onPointerUp: press.end,
      onTouchEnd,
      onPointerCancel: press.end,
      onMouseDown,
      onContextMenu,
      onClick,
      onDoubleClick,
    },
  }
}
