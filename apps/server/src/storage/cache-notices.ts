import type { Notices } from '../db/notices.ts'
import { type Caches, clearCaches, clearCachesOf, forgetFolders } from '../lib/caches.ts'

const TOPIC = 'caches.forget'

/** Empties this process's caches of what belongs to a mount or a storage, whenever any replica says so. */
export function followForgetting(notices: Notices, caches: Caches): void {
  notices.subscribe(TOPIC, (payload) => {
    const { id } = payload as { id: string | null }
    if (id === null) {
      clearCaches(caches)
      return
    }
    clearCachesOf(caches, id)
    // What is being read from the storage as it was must not be kept either.
    forgetFolders(caches, { configId: id, folders: null })
  })
}

/** Forgets, in every replica, what is remembered of a mount or a storage; `null`: of all. */
export const forgetCached = (notices: Notices, id: string | null): Promise<void> =>
  notices.publish({ topic: TOPIC, payload: { id } })
