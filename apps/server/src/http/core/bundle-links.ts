import type { IncomingMessage } from 'node:http'

const BUNDLE_LINK = /^\/s\/([\w-]+)\/?$/

/**
 * Rewrites the URL of a bundle for programs that follow its link, so that they get a plain response instead of the
 * page. Browsers send an `Accept` header with HTML, `curl` does not. Call before routing.
 * @param url path and query below the base path
 */
export function withPlainBundles(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  url: string,
): string {
  const [path = '', query] = url.split('?')
  const slug = BUNDLE_LINK.exec(path)?.[1]
  const isProgram = method === 'GET' && !/\btext\/html\b/i.test(headers.accept ?? '')
  if (slug === undefined || !isProgram) return url
  return `/api/bundles/${slug}/plain${query === undefined ? '' : `?${query}`}`
}
