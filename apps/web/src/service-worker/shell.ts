import { createHandlerBoundToURL, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching'
import type { RouteMatchCallbackOptions } from 'workbox-core/types.js'
import { registerRoute } from 'workbox-routing'
import { type PageKind, pageKind } from './page-kind.ts'
import { pathInApp } from './scope.ts'

/** Defined by the build: files that every main screen needs. */
declare const __PRECACHE__: readonly (PrecacheEntry | string)[]

/** Serves the app's files from the cache, and the cached HTML for each page of the app. */
export function precacheShell(): void {
  precacheAndRoute([...__PRECACHE__], { cleanURLs: false })
  const isPage = (kind: PageKind) => (match: RouteMatchCallbackOptions) => {
    const path = pathInApp(match.url)
    return match.request.mode === 'navigate' && path !== null && pageKind(path) === kind
  }
  registerRoute(isPage('paste'), createHandlerBoundToURL('paste.html'))
  registerRoute(isPage('bundle'), createHandlerBoundToURL('bundle.html'))
  registerRoute(isPage('app'), createHandlerBoundToURL('index.html'))
}
