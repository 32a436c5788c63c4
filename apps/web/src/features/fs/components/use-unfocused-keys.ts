import { useEffect, useRef } from 'react'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../lib/keyboard/keys.ts'
import { parentOf } from '../models/fs-paths.ts'
import type { FolderScreen } from './explorer-context.ts'
import { focusGrid } from './items/focus-grid.ts'
import { lastRemoval, undoRemoval } from './removals.ts'

/** Whether the target is the page itself, which receives key events while no element has focus. */
const isPage = (target: EventTarget | null) =>
  target === document.body || (target instanceof Element && target.matches('main'))
const isNowhere = (element: Element | null) => element === null || element === document.body

/** Whether a folder was opened before. The first opened folder does not get the focus. */
let hasOpened = false

/** Focuses a newly opened folder once it has content. */
export function useFocusOnOpen(isShown: boolean, isCovered: boolean): void {
  useEffect(() => {
    if (!isShown) return
    if (hasOpened && !isCovered && isNowhere(document.activeElement)) focusGrid()
    hasOpened = true
  }, [isShown, isCovered])
}

/** Handles keys while there is no list, for example in an empty folder. Returns whether the key was handled. */
function actWithoutList({ path, base, address, focusFilter }: FolderScreen, event: KeyboardEvent): boolean {
  const { explorer } = keyMap
  if (isKey(event, explorer.undo)) {
    const id = lastRemoval()
    return id !== null && undoRemoval(id)
  }
  if (isKey(event, explorer.up) && path !== base) address.openFolder(parentOf(path))
  else if (isKey(event, explorer.filter)) focusFilter()
  else return false
  return true
}

/** Sends keys to the list while nothing has the focus, for example on a new page. */
export function useUnfocusedKeys(screen: FolderScreen): void {
  const latest = useRef(screen)
  useEffect(() => {
    latest.current = screen
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere = document.querySelector('dialog[open], [role="menu"]') !== null
      const isCovered = latest.current.address.preview !== null
      if (!isPage(event.target) || isElsewhere || isCovered || event.defaultPrevented) return
      if (event.key === 'Tab') return
      const grid = document.querySelector<HTMLElement>('[role="grid"]')
      if (!grid) {
        if (actWithoutList(latest.current, event)) event.preventDefault()
        return
      }
      const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event
      const again = new KeyboardEvent('keydown', {
        key,
        code,
        ctrlKey,
        metaKey,
        shiftKey,
        altKey,
        bubbles: true,
        cancelable: true,
      })
      const isLeft = grid.dispatchEvent(again)
      if (isLeft) return
      event.preventDefault()
      if (isNowhere(document.activeElement) || isPage(document.activeElement)) focusGrid()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
