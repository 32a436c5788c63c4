/** The worker's global scope. The cast is needed, because TypeScript assumes the global scope of a page. */
export const worker = self as unknown as ServiceWorkerGlobalScope

/** The base path of the app, without a trailing slash. */
const basePath = (): string => new URL(worker.registration.scope).pathname.replace(/\/$/, '')

/** Returns the path below the base path, starting with a slash; `null` for other URLs. */
export function pathInApp(url: URL): string | null {
  const base = basePath()
  if (url.origin !== worker.location.origin) return null
  return url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : null
}

/**
 * Returns a URL of the app.
 * @param path starts with a slash
 */
export const addressInApp = (path: string): string => `${worker.location.origin}${basePath()}${path}`
