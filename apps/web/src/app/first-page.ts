import type { QueryClient } from '@tanstack/react-query'
import { basePath } from '../lib/browser/base-path.ts'
import { forgetEarlyRequests } from '../domains/api/early-requests.ts'
import { partsAt, preparePart } from './page-parts.ts'
import { type createAppRouter, unknownRoute } from './router.tsx'

/** Longer than a server nearby takes to answer; what comes later finds the page drawn already, with its skeleton. */
const LONGEST_WAIT_MS = 300

/**
 * What the first page shows is asked for while its part and the words are on their way, and waited for a moment: the page is
 * then drawn once, with all of it, and not first without.
 */
export async function prepareFirstPage(
  router: ReturnType<typeof createAppRouter>,
  client: QueryClient,
): Promise<void> {
  const [page] = partsAt(window.location.pathname.slice(basePath.length))
  const match = router.matchRoutes(router.latestLocation).at(-1)
  // Not for an address that leads elsewhere.
  if (!page || !match || match.routeId === unknownRoute.id) return
  const asked = preparePart(page, client, match)
    .catch(() => undefined)
    .finally(forgetEarlyRequests)
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}
