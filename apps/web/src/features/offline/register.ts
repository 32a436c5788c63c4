import { hrefOf } from '../../lib/browser/base-path.ts'

interface Connection {
  readonly saveData?: boolean
}

/**
 * Starts the service worker, which begins to fetch the app. Answers `null` where there is none: pages over plain http, a build
 * for development, people who save data.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return null
  const { connection } = navigator as { connection?: Connection }
  try {
    if (connection?.saveData === true && !navigator.serviceWorker.controller) return null
    const options = { scope: hrefOf('/'), updateViaCache: 'none' } as const
    const registered: unknown = await navigator.serviceWorker.register(hrefOf('/sw.js'), options)
    // Where something else blocks it, nothing may be answered.
    return registered instanceof ServiceWorkerRegistration ? registered : null
  } catch {
    // Blocked by the browser's settings: the app does without.
    return null
  }
}
