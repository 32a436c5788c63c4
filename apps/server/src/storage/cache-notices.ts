import type { Notices } from '../db/notices.ts'
import type { Caches } from '../lib/caches.ts'

const TOPIC = 'caches.forget'

/** Empties this process's caches of what belongs to a mount or a storage, whenever any replica says so. */
export function followForgetting(notices: Notices, caches: Caches): void {
  notices.subscribe(TOPIC, (payload) => {
    const { id } = payload as { id: string }
    const belongs = (key: string) => key.startsWith(`${id}:`)
    for (const cache of [caches.directory, caches.s3Url, caches.search]) cache.clear(belongs)
  })
}

/** Forgets, in every replica, what is remembered of a mount or a storage. Keys of entries begin with its id. */
export const forgetCached = (notices: Notices, id: string): Promise<void> =>
  notices.publish({ topic: TOPIC, payload: { id } })
