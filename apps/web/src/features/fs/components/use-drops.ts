import type { DragEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Entry } from '../models/entries.ts'
import { isWithin, parentOf } from '../models/fs-paths.ts'
import { DRAG_TYPE, draggedEntries } from './items/use-item-drag.ts'

interface Drops {
  /** Path of the open folder. */
  path: string
  canWrite: boolean
  /** Whether the session may write anywhere. */
  mayWrite: boolean
  onItems: (entries: readonly Entry[], target: string, isCopy: boolean) => void
  onFiles: ((data: DataTransfer, target: string) => void) | null
}

/**
 * Whether entries may be dropped on a folder. The root, the folder that contains the entries, the entries themselves
 * and the folders inside them are not allowed.
 */
export const mayDrop = (entries: readonly Entry[], target: string): boolean =>
  entries.length > 0 &&
  target !== '/' &&
  entries.every(({ path }) => parentOf(path) !== target && !isWithin(target, path))

/**
 * Handles drops on elements with `data-drop-path`: folders, breadcrumbs, and the explorer itself.
 * @returns `filesTarget`, the folder under the dragged files
 */
export function useDrops({ path, canWrite, mayWrite, onItems, onFiles }: Drops) {
  const [filesTarget, setFilesTarget] = useState<string | null>(null)
  const lit = useRef<HTMLElement | null>(null)
  const light = (element: HTMLElement | null) => {
    if (lit.current !== element) lit.current?.removeAttribute('data-over')
    element?.setAttribute('data-over', '')
    lit.current = element
  }
  const leave = () => {
    light(null)
    setFilesTarget(null)
  }
  useEffect(() => {
    // A drag also ends when the user presses Esc, or drops the entries elsewhere.
    const onEnd = () => leave()
    window.addEventListener('dragend', onEnd)
    return () => window.removeEventListener('dragend', onEnd)
  })

  const targetOf = (event: DragEvent) => {
    const element =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drop-path]') : null
    const target = element?.dataset['dropPath']
    if (!element || target === undefined || !mayWrite) return null
    if (event.dataTransfer.types.includes(DRAG_TYPE))
      return mayDrop(draggedEntries(), target) ? { element, target, isFiles: false } : null
    if (!event.dataTransfer.types.includes('Files') || !onFiles) return null
    const isOpen = target === path
    return (isOpen && !canWrite) || target === '/' ? null : { element, target, isFiles: true }
  }

  const onDragOver = (event: DragEvent) => {
    const found = targetOf(event)
    // Prevents the browser from opening dropped files in place of the app.
    if (event.dataTransfer.types.includes('Files')) {
      event.preventDefault()
      event.dataTransfer.dropEffect = found ? 'copy' : 'none'
    }
    if (!found) return leave()
    event.preventDefault()
    const isCopy = event.ctrlKey || event.altKey
    event.dataTransfer.dropEffect = found.isFiles || isCopy ? 'copy' : 'move'
    light(found.target === path ? null : found.element)
    return setFilesTarget(found.isFiles ? found.target : null)
  }
  const onDragLeave = (event: DragEvent) => {
    const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
    if (!isInside) leave()
  }
  const onDrop = (event: DragEvent) => {
    const found = targetOf(event)
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    leave()
    if (!found) return
    event.preventDefault()
    if (found.isFiles) onFiles?.(event.dataTransfer, found.target)
    else onItems(draggedEntries(), found.target, event.ctrlKey || event.altKey)
  }
  return { filesTarget, handlers: { onDragOver, onDragLeave, onDrop } }
}
