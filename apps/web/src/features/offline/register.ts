import { hrefOf } from '../../lib/base-path.ts'

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
    return await navigator.serviceWorker.register(hrefOf('/sw.js'), {
      scope: hrefOf('/'),
      updateViaCache: 'none',
    })
  } catch {
    // Blocked by the browser's settings: the app does without.
    return null
  }
}
