import { flushSaves } from '../../lib/pending-saves.ts'
import { sendToWorker } from './worker-messages.ts'

/** Maximum time to wait for the new worker to take control. */
const TAKE_OVER_MS = 3000

const controllerChanged = () =>
  new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(resolve, TAKE_OVER_MS)
  })

let isAsked = false

/** Whether this page has started the update. */
export const hasAskedForUpdate = (): boolean => isAsked

/**
 * Saves drafts and reloads the app. First activates a waiting version, because the server no longer has the chunks of
 * the old version.
 */
export async function reloadApp(): Promise<void> {
  await flushSaves()
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  if (registration?.waiting) {
    isAsked = true
    const changed = controllerChanged()
    sendToWorker(registration.waiting, { type: 'take-over' })
    await changed
  }
  window.location.reload()
}
