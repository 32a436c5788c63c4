import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const BUNDLE_LINK = /^\/s\/([\w-]+)\/?$/
/** Matches the page and the list of a bundle. The web app ignores the case of paths. */
const ANSWERS = /^\/(?:s\/[^/]+\/?|api\/bundles\/[^/]+\/plain)(?:\?|$)/i

type IsPreviewer = (userAgent: string, asked: { asksForText: boolean }) => boolean

/**
 * Whether a request is from a program that wants a list of addresses: `Accept: text/plain`, or `*\/*` without the
 * headers of a browser. A program that makes link previews gets the page, because the list uses a view and contains a
 * ticket.
 */
function wantsList(headers: IncomingMessage['headers'], isPreviewer: IsPreviewer): boolean {
  const types = (headers.accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  const asksForText = types.includes('text/plain')
  const isOpen = types.every((type) => type === '*/*')
  const isFetched = Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))
  if (types.includes('text/html') || !(asksForText || (isOpen && !isFetched))) return false
  return !isPreviewer(headers['user-agent'] ?? '', { asksForText })
}

/**
 * Rewrites the URL of a bundle if a program requests it. The program then gets a plain-text list instead of the page.
 * Call before routing.
 * @param url path and query below the base path
 */
export function withPlainBundles(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { url, isPreviewer }: { url: string; isPreviewer: IsPreviewer },
): string {
  const [path = '', query] = url.split('?')
  const slug = BUNDLE_LINK.exec(path)?.[1]
  if (slug === undefined || method !== 'GET' || !wantsList(headers, isPreviewer)) return url
  return `/api/bundles/${slug}/plain${query === undefined ? '' : `?${query}`}`
}

/** Adds the `Vary` header to responses to the link of a bundle, for caches. */
export function installBundleLinks(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (ANSWERS.test(request.url)) reply.header('vary', 'Accept, User-Agent')
    done()
  })
}
