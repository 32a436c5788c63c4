import { useSyncExternalStore } from 'react'
import { onSessionGone } from '../../domains/session/session.ts'
import { NO_OPTIONS, type ShareOptions } from '../../domains/shares/share-options.ts'

/**
 * Options for the text on the home page. They survive a login, and are stored only in memory, because they can contain
 * a password.
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

// Clears the options on logout, so that the next user does not see them.
onSessionGone(({ isLeft }) => {
  if (isLeft) keepOptions(NO_OPTIONS)
})
