import { readStored, writeStored } from '../../../lib/browser/storage.ts'

/**
 * Flag in localStorage that is set while the queue might have entries. Reading the flag is faster than opening the
 * database.
 */
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
