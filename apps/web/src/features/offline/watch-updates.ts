import { hasAskedForUpdate } from '../../domains/offline/reload-app.ts'
import { sendToWorker } from '../../domains/offline/worker-messages.ts'
import { readStoredJson, writeStored } from '../../lib/browser/storage.ts'
import { isPostponed, isUpdateDue } from './models/offers.ts'

const CHECK_MS = 5000
const ASK_SERVER_MS = 30 * 60 * 1000
const ANSWER_MS = 5000
const POSTPONED_KEY = 'dropleaf_update_later'

/** A version that becomes active after a reload. The version is waiting, or another tab has already activated it. */
export type UpdateOffer = { readonly kind: 'waiting'; readonly version: string } | { readonly kind: 'here' }

function askVersion(worker: ServiceWorker): Promise<string | null> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(typeof data === 'string' ? data : null))
    port1.start()
    sendToWorker(worker, { type: 'version' }, [port2])
    setTimeout(() => resolve(null), ANSWER_MS)
  })
}

async function findWaiting(registration: ServiceWorkerRegistration): Promise<UpdateOffer | null> {
  const { waiting } = registration
  const version = waiting && (await askVersion(waiting))
  if (!version) return null
  const stored = readStoredJson(POSTPONED_KEY)
  const postponed = isPostponed(stored) ? stored : null
  return isUpdateDue(version, postponed, Date.now()) ? { kind: 'waiting', version } : null
}

export const postponeUpdate = (version: string): boolean =>
  writeStored(POSTPONED_KEY, JSON.stringify({ version, atMs: Date.now() }))

/**
 * Checks for a waiting version every five seconds. Queries the server for a new version less often. Also reports a
 * version that another tab has activated.
 * @returns a function that stops the polling
 */
export function watchUpdates(
  registration: ServiceWorkerRegistration,
  onOffer: (offer: UpdateOffer | null) => void,
): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  let askedAtMs = Date.now()
  let isHere = false
  const check = async () => {
    if (isHere) return
    const offer = await findWaiting(registration)
    if (!signal.aborted && !isHere) onOffer(offer)
  }
  const askServer = () => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAtMs < ASK_SERVER_MS) return
    askedAtMs = Date.now()
    // The update fails while the browser is offline. The failure is ignored, because no new version can be loaded then.
    registration.update().catch(() => undefined)
  }
  // The very first service worker is not an update.
  let isFirst = navigator.serviceWorker.controller === null
  navigator.serviceWorker.addEventListener(
    'controllerchange',
    () => {
      const isTakenOver = !isFirst && !hasAskedForUpdate()
      isFirst = false
      isHere ||= isTakenOver
      if (isTakenOver) onOffer({ kind: 'here' })
    },
    { signal },
  )
  document.addEventListener('visibilitychange', askServer, { signal })
  window.addEventListener('online', askServer, { signal })
  const timer = setInterval(() => {
    check().catch(reportError)
    askServer()
  }, CHECK_MS)
  check().catch(reportError)
  return () => {
    clearInterval(timer)
    stopping.abort()
  }
}
