import type { DragEvent } from 'react'
import type { Entry } from '../../models/entries.ts'
import { pointAt } from '../../models/selection.ts'
import { useFolderScreen } from '../explorer-context.ts'

/**
 * MIME type that distinguishes dragged entries of this app from local files. During a drag, scripts can read only the
 * types of the dragged data.
 */
export const DRAG_TYPE = 'application/x-dropleaf-entries'

let dragged: readonly Entry[] = []

/** The entries that are being dragged within this page. */
export const draggedEntries = (): readonly Entry[] => dragged

/**
 * Makes entries draggable, except mounts and folders above them. An entry can be dragged by its name, and a selected
 * entry by any part of it.
 */
export function useItemDrag() {
  const screen = useFolderScreen()
  const onDragStart = (event: DragEvent) => {
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
    const entry = item ? screen.entries[Number(item.dataset['index'])] : undefined
    if (!entry) return
    const isMarked = screen.selection.marked.has(entry.path)
    if (!isMarked)
      screen.select((before, order) =>
        pointAt(before, order, { path: entry.path, isRange: false, isToggle: false }),
      )
    dragged = (isMarked ? screen.marked : [entry]).filter(({ isVirtual }) => !isVirtual)
    if (dragged.length === 0) {
      event.preventDefault()
      return
    }
    event.dataTransfer.effectAllowed = 'copyMove'
    event.dataTransfer.setData(DRAG_TYPE, JSON.stringify(dragged.map(({ path }) => path)))
    showCount(event, dragged)
  }
  const onDragEnd = () => {
    dragged = []
  }
  return { onDragStart, onDragEnd }
}

/** Sets the drag image: the name of a single entry, or the number of entries. */
function showCount({ dataTransfer }: DragEvent, entries: readonly Entry[]) {
  const chip = document.createElement('div')
  chip.className = 'dl-drag-chip'
  chip.textContent = entries.length === 1 ? (entries[0]?.name ?? '') : String(entries.length)
  document.body.append(chip)
  dataTransfer.setDragImage(chip, -12, -8)
  setTimeout(() => chip.remove(), 0)
}
