import { hrefOf } from '../../lib/browser/base-path.ts'

interface Connection {
  readonly saveData?: boolean
}

/**
 * Registers the service worker, which precaches the app. Returns `null` if no service worker is registered: in insecure
 * contexts, in development builds, with data saver if no service worker controls the page yet, and if the registration
 * fails.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return null
  const { connection } = navigator as { connection?: Connection }
  try {
    if (connection?.saveData === true && !navigator.serviceWorker.controller) return null
    const options = { scope: hrefOf('/'), updateViaCache: 'none' } as const
    const registered: unknown = await navigator.serviceWorker.register(hrefOf('/sw.js'), options)
    // A blocked registration can resolve without a value.
    return registered instanceof ServiceWorkerRegistration ? registered : null
  } catch {
    // For example, browser settings block service workers. The app works without one.
    return null
  }
}
