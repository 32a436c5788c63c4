import type { Notices } from '../db/notices.ts'
import { type Caches, clearCaches, clearCachesOf, forgetFolders } from '../lib/caches.ts'

const TOPIC = 'caches.forget'

/** Invalidates the caches of a mount or storage when any replica sends a notice. */
export function followForgetting(notices: Notices, caches: Caches): void {
  notices.subscribe(TOPIC, (payload) => {
    const { id } = payload as { id: string | null }
    if (id === null) {
      clearCaches(caches)
      return
    }
    clearCachesOf(caches, id)
    // Results of reads in progress must not be cached either.
    forgetFolders(caches, { configId: id, folders: null })
  })
}

/** Invalidates the caches of a mount or storage in every replica. `null` means all mounts and storages. */
export const forgetCached = (notices: Notices, id: string | null): Promise<void> =>
  notices.publish({ topic: TOPIC, payload: { id } })
