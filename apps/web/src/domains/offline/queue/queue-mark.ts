import { readStored, writeStored } from '../../../lib/browser/storage.ts'

/** Set in localStorage while the queue may have entries, so that checking this needs no database. */
const QUEUE_MARK = 'dropleaf-offline-queue'

const listeners = new Set<() => void>()

export const isQueueMarked = (): boolean => readStored(QUEUE_MARK) !== null

export function markQueue(mayWait: boolean): void {
  writeStored(QUEUE_MARK, mayWait ? '1' : null)
  for (const listener of listeners) listener()
}

export function subscribeQueueMark(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
