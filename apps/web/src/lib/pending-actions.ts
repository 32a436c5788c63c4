import { useEffect, useEffectEvent } from 'react'

/** Actions that any page can request. */
export type PendingAction = 'write' | 'new-folder' | 'upload-here' | 'new-key' | 'new-mount' | 'new-storage'

/** How long a request waits for a page to load. After a longer wait, a dialog would surprise the user. */
const PATIENCE_MS = 15_000

const listeners = new Map<PendingAction, () => void>()
let waiting: { readonly what: PendingAction; readonly sinceMs: number } | null = null

/** Whether the current page offers the action. */
export const isActionAvailable = (what: PendingAction): boolean => listeners.has(what)

/** Runs an action of the current page, or else of the page that loads next. */
export function requestAction(what: PendingAction): void {
  const act = listeners.get(what)
  waiting = act ? null : { what, sinceMs: Date.now() }
  act?.()
}

/** Offers an action while the calling component is mounted. `null` means that the action is not available. */
export function usePendingAction(what: PendingAction, act: (() => void) | null): void {
  const isAble = act !== null
  const grant = useEffectEvent(() => act?.())
  useEffect(() => {
    if (!isAble) return undefined
    const listener = () => grant()
    listeners.set(what, listener)
    if (waiting?.what === what) {
      const isTimely = Date.now() - waiting.sinceMs < PATIENCE_MS
      waiting = null
      if (isTimely) grant()
    }
    return () => {
      if (listeners.get(what) === listener) listeners.delete(what)
    }
  }, [what, isAble])
}
