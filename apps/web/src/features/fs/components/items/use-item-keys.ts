import type { KeyboardEvent, RefObject } from 'react'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../../lib/keyboard/keys.ts'
import { markAll, moveTo, stepTo, toggle, unmarkAll } from '../../models/selection.ts'
import { parentOf } from '../../models/fs-paths.ts'
import { itemId } from './item-id.ts'
import type { FolderScreen } from '../explorer-context.ts'
import { lastRemoval, undoRemoval } from '../removals.ts'
import { useFolderScreen } from '../explorer-context.ts'

interface ItemKeys {
  columns: number
  activeIndex: number
  scrollTo: (index: number) => void
  /** Function that finds the next entry above or below, if entries have different heights; otherwise `null`. */
  stepVertically: ((index: number, step: 1 | -1) => number | null) | null
  root: RefObject<HTMLElement | null>
}

/** Returns the entries that a key acts on: the selected entries, or else the active entry. */
function targets({ marked, entries }: FolderScreen, activeIndex: number) {
  const active = entries[activeIndex]
  if (marked.length > 0) return marked
  return active ? [active] : []
}

function menuPoint(root: HTMLElement | null, activeIndex: number) {
  const item = document.getElementById(itemId(activeIndex)) ?? root
  const { left, top, width, height } = item?.getBoundingClientRect() ?? new DOMRect()
  return { x: left + Math.min(width / 2, 240), y: top + Math.min(height / 2, 120), isByKey: true }
}

type Act = (screen: FolderScreen, keys: ItemKeys) => void

const { explorer } = keyMap

const ACTS: readonly (readonly [keys: readonly string[], act: Act])[] = [
  [
    explorer.open,
    (screen, { activeIndex }) => {
      const entry = screen.entries[activeIndex]
      if (entry) screen.open(entry)
    },
  ],
  [
    explorer.mark,
    (screen, { activeIndex }) => {
      const entry = screen.entries[activeIndex]
      if (entry) screen.select((before) => toggle(before, entry.path))
    },
  ],
  [explorer.markAll, (screen) => screen.select(markAll)],
  [explorer.unmark, (screen) => screen.select(unmarkAll)],
  [explorer.rename, (screen, { activeIndex }) => runIfOffered(screen, 'rename', activeIndex)],
  [explorer.delete, (screen, { activeIndex }) => runIfOffered(screen, 'delete', activeIndex)],
  [explorer.undo, undoLast],
  [
    explorer.up,
    (screen) => {
      if (screen.path !== screen.base) screen.address.openFolder(parentOf(screen.path))
    },
  ],
  [explorer.filter, (screen) => screen.focusFilter()],
  [
    explorer.menu,
    (screen, { activeIndex, root }) =>
      screen.openMenu(menuPoint(root.current, activeIndex), targets(screen, activeIndex)),
  ],
]

function runIfOffered(screen: FolderScreen, command: 'rename' | 'delete', activeIndex: number) {
  const entries = targets(screen, activeIndex)
  if (screen.commandsOf(entries).includes(command)) screen.run(command, entries)
}

function undoLast() {
  const id = lastRemoval()
  if (id !== null) undoRemoval(id)
}

/** Whether Enter or Space is pressed on a column header. */
const isPressOfHead = ({ key, target }: KeyboardEvent) =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.closest('[data-role="sort"]') !== null

const findAct = (event: KeyboardEvent): Act | undefined => ACTS.find(([keys]) => isKey(event, keys))?.[1]

/** Handles keys for the entries in every view. */
export function useItemKeys(keys: ItemKeys): (event: KeyboardEvent) => void {
  const screen = useFolderScreen()
  return (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return
    if (isPressOfHead(event)) return
    const act = findAct(event)
    if (act) {
      event.preventDefault()
      act(screen, keys)
      return
    }
    const { columns, activeIndex: index } = keys
    const pageSize = Math.max(1, Math.floor((window.innerHeight - 240) / 44)) * columns
    const isStep = !event.altKey && !event.metaKey && !event.ctrlKey
    const isVertical = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    const target = !isStep
      ? null
      : isVertical && index >= 0 && keys.stepVertically
        ? keys.stepVertically(index, event.key === 'ArrowDown' ? 1 : -1)
        : stepTo({ key: event.key, index, count: screen.entries.length, columns, pageSize })
    const entry = target === null ? undefined : screen.entries[target]
    if (target === null || !entry) return
    event.preventDefault()
    screen.select((before, order) => moveTo(before, order, { path: entry.path, isRange: event.shiftKey }))
    keys.scrollTo(target)
  }
}
