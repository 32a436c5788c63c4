import type { QueryClient } from '@tanstack/react-query'
import { basePath } from '../lib/browser/base-path.ts'
import { forgetEarlyRequests } from '../domains/api/early-requests.ts'
import { partsAt, preparePart } from './page-parts.ts'
import { type createAppRouter, unknownRoute } from './router.tsx'

/** Maximum wait for data before the page is rendered with a skeleton. */
const LONGEST_WAIT_MS = 300

/**
 * Loads the chunk of the first page, and then its data. Waits for at most `LONGEST_WAIT_MS`, so that the page is
 * usually rendered only once.
 */
export async function prepareFirstPage(
  router: ReturnType<typeof createAppRouter>,
  client: QueryClient,
): Promise<void> {
  const [page] = partsAt(window.location.pathname.slice(basePath.length))
  const match = router.matchRoutes(router.latestLocation).at(-1)
  // A URL that redirects has no page to prepare.
  if (!page || !match || match.routeId === unknownRoute.id) return
  const asked = preparePart(page, client, match)
    .catch(() => undefined)
    .finally(forgetEarlyRequests)
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}
