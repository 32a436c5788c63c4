import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import type { WorkboxPlugin } from 'workbox-core/types.js'
import { pathInApp } from './scope.ts'

const MAX_ENTRIES = 200
const MAX_AGE_SECONDS = 30 * 24 * 3600

/** Parts of the app that few screens need are kept from their first use on. Their names change with what is in them. */
export function keepAssets(): void {
  registerRoute(
    ({ url }) => pathInApp(url)?.startsWith('/assets/') === true,
    new CacheFirst({
      cacheName: `dropleaf-assets-${self.location.pathname.replace(/[^/]*$/, '')}`,
      // Their types say less of absent methods than ours ask for.
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
