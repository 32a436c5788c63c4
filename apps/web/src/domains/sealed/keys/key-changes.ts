/**
 * Notifies this tab and other tabs when keys are added or removed. The module is small, because lists load it at
 * once.
 */

const listeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('dropleaf-sealed-keys')

const tellHere = () => {
  for (const listener of listeners) listener()
}
channel?.addEventListener('message', tellHere)

export function tellKeysChanged(): void {
  tellHere()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
  channel?.postMessage(null)
}

export function onKeysChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
