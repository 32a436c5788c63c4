import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import type { WorkboxPlugin } from 'workbox-core/types.js'
import { pathInApp } from './scope.ts'

const MAX_ENTRIES = 200
const MAX_AGE_SECONDS = 30 * 24 * 3600

/** Caches chunks of less common screens after their first use. The names of the chunks contain a content hash. */
export function cacheAssets(): void {
  registerRoute(
    ({ url }) => pathInApp(url)?.startsWith('/assets/') === true,
    new CacheFirst({
      cacheName: `dropleaf-assets-${self.location.pathname.replace(/[^/]*$/, '')}`,
      // The cast is needed, because the library's types do not allow `undefined` members.
      plugins: [
        new CacheableResponsePlugin({ statuses: [200] }),
        new ExpirationPlugin({
          maxEntries: MAX_ENTRIES,
          maxAgeSeconds: MAX_AGE_SECONDS,
          purgeOnQuotaError: true,
        }),
      ] as WorkboxPlugin[],
    }),
  )
}
