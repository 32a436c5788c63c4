import { storedAuthorization } from '../../domains/session/credentials.ts'
import { takeUncached } from '../../domains/offline/copies/uncached-answers.ts'
import { sendToWorker, type WorkerMessage } from '../../domains/offline/worker-messages.ts'
import { NOBODY } from '../../domains/session/data-owner.ts'
import { currentOwner } from '../../domains/session/session-owner.ts'
import { onSessionEnd, subscribeSession } from '../../domains/session/session.ts'

/** Deletes the search history at a logout. */
async function forgetSearches(owner: string): Promise<void> {
  const { offlineDatabase } = await import('../../domains/offline/database.ts')
  await offlineDatabase().searchHistory.where('owner').equals(owner).delete()
}

/**
 * Notifies the service worker of the current user, so that it caches nothing of others, and passes on responses from
 * before it was active.
 */
export async function notifyWorker(): Promise<void> {
  const tell = async (message: WorkerMessage) => {
    // A page may close right after the logout: no time to wait.
    const active = navigator.serviceWorker.controller ?? (await navigator.serviceWorker.ready).active
    if (active) sendToWorker(active, message)
  }
  const tellIdentity = () => tell({ type: 'identity', authorization: storedAuthorization() })
  let owner = currentOwner()
  subscribeSession(() => {
    const now = currentOwner()
    if (now !== NOBODY) owner = now
    tellIdentity().catch(reportError)
  })
  onSessionEnd((reason) => {
    if (reason === 'logout') forgetSearches(owner).catch(reportError)
  })
  await tellIdentity()
  await tell({ type: 'keep-answers', answers: takeUncached() })
}
