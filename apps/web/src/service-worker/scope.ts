/** The worker's own global scope: the pages' one has the same name. */
export const worker = self as unknown as ServiceWorkerGlobalScope

/** Where the app lives, without a slash at its end. */
const basePath = (): string => new URL(worker.registration.scope).pathname.replace(/\/$/, '')

/** The path of one of the app's own addresses, beginning with a slash; `null` for everything else. */
export function pathInApp(url: URL): string | null {
  const base = basePath()
  if (url.origin !== worker.location.origin) return null
  return url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : null
}

/** An address of the app. @param path begins with a slash */
export const addressInApp = (path: string): string => `${worker.location.origin}${basePath()}${path}`
