import { isHeldUp, isStuck } from '@dropleaf/sync-queue'
import { offlineDatabase } from '../domains/offline/database.ts'
import { listQueue } from '../domains/offline/queue/queue-store.ts'
import { SYNC_TAG, syncQueue } from '../domains/offline/queue/sync.ts'
import { worker } from './scope.ts'

/** As browsers that wake workers give it; not in the library of types. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

/**
 * Online again. A page knows the newest credential and can show the results, so it sends first; without a page the
 * changes are sent with their stored credential.
 */
async function sendWhatWaits(): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window' })
  if (pages.length > 0) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- pages of a worker are of its origin
    for (const page of pages) page.postMessage({ type: 'SYNC_QUEUE' })
    return
  }
  const database = offlineDatabase()
  await syncQueue({ database, credentialOf: (_owner, kept) => kept, isFresh: true })
  const left = await listQueue(database)
  // The browser calls again, later and later, as long as this fails.
  if (left.some((entry) => !isStuck(entry) || isHeldUp(entry)))
    throw new Error('Some changes did not get through.')
}

export function syncInBackground(): void {
  worker.addEventListener('sync', (event) => {
    const { tag } = event as SyncEvent
    if (tag === SYNC_TAG) (event as SyncEvent).waitUntil(sendWhatWaits())
  })
}
