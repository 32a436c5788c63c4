import { useEffect, useEffectEvent } from 'react'

/** What one can ask a page for from anywhere. */
export type PendingAction = 'write' | 'new-folder' | 'upload-here' | 'new-key' | 'new-mount' | 'new-storage'

/** A page that takes longer to open than this does not surprise anybody with a dialog. */
const PATIENCE_MS = 15_000

const listeners = new Map<PendingAction, () => void>()
let waiting: { readonly what: PendingAction; readonly sinceMs: number } | null = null

/** Whether the page that is open does this now. */
export const isActionAvailable = (what: PendingAction): boolean => listeners.has(what)

/** Asks for something: the open page does it, otherwise the one that is about to open. */
export function requestAction(what: PendingAction): void {
  const act = listeners.get(what)
  waiting = act ? null : { what, sinceMs: Date.now() }
  act?.()
}

/** Does what is asked for while the calling screen is shown; `null` while it cannot. */
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
