import { askEarly } from '../domains/api/early-requests.ts'
import { requestHeaders } from '../domains/api/request-headers.ts'
import { routeUrl } from '../domains/api/route-url.ts'
import { readSession } from '../domains/session/stored-session.ts'

/**
 * First request of some pages, by the first segment of the path. `null` if the page sends no request, or if only the
 * app can determine the URL.
 */
const FIRST_REQUESTS: Readonly<
  Record<string, (parts: readonly string[]) => string | null | Promise<string | null>>
> = {
  file: ([slug = '']) => (slug === '' ? null : routeUrl('/api/public/files/:slug', { params: { slug } })),
  'mount-explorer': async (parts) =>
    (await import('../features/fs/models/first-listing.ts')).firstListingUrl(parts),
  admin: ([module = '']) => {
    if (module !== '' || readSession().kind !== 'admin') return null
    const query = { utc_offset: -new Date().getTimezoneOffset() }
    return routeUrl('/api/admin/dashboard/stats', { query })
  },
}

/**
 * Sends the first request of a page, if it is known, while the app loads. The app takes over the response.
 * @param pathname below the base path
 * @throws {URIError} if the path is not valid percent-encoding
 */
export async function askEarlyData(pathname: string): Promise<void> {
  const [start = '', ...parts] = decodeURIComponent(pathname).split('/').slice(1)
  const url = Object.hasOwn(FIRST_REQUESTS, start) ? await FIRST_REQUESTS[start]?.(parts) : null
  // Ignores the error here, because the app uses the same response and reports the failure.
  if (typeof url === 'string') askEarly(url, requestHeaders()).catch(() => undefined)
}
