import { isHeldUp, isStuck } from '@dropleaf/sync-queue'
import { offlineDatabase } from '../domains/offline/database.ts'
import { listQueue } from '../domains/offline/queue/queue-store.ts'
import { SYNC_TAG, syncQueue } from '../domains/offline/queue/sync.ts'
import { worker } from './scope.ts'

/** The Background Sync event, which TypeScript's library lacks. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

/**
 * Sends the queue when the browser is online again. An open page takes precedence, because it has the current
 * credential and can report results. Without an open page, changes are sent with their stored credentials.
 */
async function sendWhatWaits(): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window' })
  if (pages.length > 0) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- all pages have the same origin as this worker
    for (const page of pages) page.postMessage({ type: 'SYNC_QUEUE' })
    return
  }
  const database = offlineDatabase()
  await syncQueue({ database, credentialOf: (_owner, kept) => kept, isFresh: true })
  const left = await listQueue(database)
  // The error makes the browser retry, with increasing delays.
  if (left.some((entry) => !isStuck(entry) || isHeldUp(entry)))
    throw new Error('Some changes did not get through.')
}

export function syncInBackground(): void {
  worker.addEventListener('sync', (event) => {
    const { tag } = event as SyncEvent
    if (tag === SYNC_TAG) (event as SyncEvent).waitUntil(sendWhatWaits())
  })
}
