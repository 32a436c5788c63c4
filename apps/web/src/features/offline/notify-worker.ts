import { storedAuthorization } from '../../domains/session/credentials.ts'
import { takeUncached } from '../../domains/offline/copies/uncached-answers.ts'
import { sendToWorker, type WorkerMessage } from '../../domains/offline/worker-messages.ts'
import { NOBODY } from '../../domains/session/data-owner.ts'
import { currentOwner } from '../../domains/session/session-owner.ts'
import { onSessionEnd, subscribeSession } from '../../domains/session/session.ts'

/** Deletes the search history of a user. */
async function forgetSearches(owner: string): Promise<void> {
  const { offlineDatabase } = await import('../../domains/offline/database.ts')
  await offlineDatabase().searchHistory.where('owner').equals(owner).delete()
}

/**
 * Notifies the service worker of the current user, so that it caches no data of other users. Also sends it the
 * responses that the page received before the worker was active.
 */
export async function notifyWorker(): Promise<void> {
  const tell = async (message: WorkerMessage) => {
    // Uses the controller if there is one. A page can close right after the logout, so it has no time to wait for an
    // active worker.
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
