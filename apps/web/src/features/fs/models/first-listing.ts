import { routeUrl } from '../../../domains/api/route-url.ts'
import { can, readSession } from '../../../domains/session/stored-session.ts'
import { sortingOf } from './entries.ts'
import { asFolder, folderOfSplat, isWithin } from './fs-paths.ts'
import { firstPageQuery } from './listing.ts'
import { readSettings } from './stored-settings.ts'

/**
 * Returns the URL of the explorer's first request; `null` if the page's URL has a query, or the session may not see the
 * folder.
 */
export function firstListingUrl(parts: readonly string[]): string | null {
  const session = readSession()
  if (window.location.search !== '' || !can(session, 'mount')) return null
  const base = session.kind === 'apikey' ? asFolder(session.info.basic_path) : '/'
  const path = folderOfSplat(parts.join('/'))
  if (!isWithin(path, base)) return null
  return routeUrl('/api/fs/list', { query: firstPageQuery(path, sortingOf({}, readSettings())) })
}
