import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'

const KEY = 'dropleaf.share-options'
const listeners = new Set<() => void>()
let isOpen: boolean | null = null

const read = () => (isOpen ??= readStored(KEY) === 'open')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the options of a new share are unfolded. The choice is stored on this device. */
export const useOptionsOpen = (): boolean => useSyncExternalStore(subscribe, read)

export function setOptionsOpen(next: boolean): void {
  isOpen = next
  writeStored(KEY, next ? 'open' : null)
  for (const listener of listeners) listener()
}
