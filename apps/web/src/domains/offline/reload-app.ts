import { flushSaves } from '../../lib/pending-saves.ts'
import { sendToWorker } from './worker-messages.ts'

/** Longer than a worker needs to take over. */
const TAKE_OVER_MS = 3000

const controllerChanged = () =>
  new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(resolve, TAKE_OVER_MS)
  })

let isAsked = false

/** Whether this page has asked for the version that has taken over. */
export const hasAskedForUpdate = (): boolean => isAsked

/**
 * Loads the app again, in its newest version where one waits: with the old one, parts that the server no longer has would be
 * missing again. What was typed is saved before.
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
