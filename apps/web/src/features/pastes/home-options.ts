import { useSyncExternalStore } from 'react'
import { onSessionGone } from '../../domains/session/session.ts'
import { NO_OPTIONS, type ShareOptions } from '../../domains/shares/share-options.ts'

/**
 * The options of the text that is being written: who goes to log in comes back to them. In the memory of the tab, for there
 * may be a password among them.
 */
let kept = NO_OPTIONS
const listeners = new Set<() => void>()

export function keepOptions(options: ShareOptions): void {
  kept = options
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useKeptOptions = (): ShareOptions => useSyncExternalStore(subscribe, () => kept)

// The next person at this device need not see them.
onSessionGone(({ isLeft }) => {
  if (isLeft) keepOptions(NO_OPTIONS)
})
