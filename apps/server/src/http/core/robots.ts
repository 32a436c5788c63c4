import type { FastifyInstance } from 'fastify'

/** The same rules are in the robots element of the pages, for programs that read a page without its headers. */
const RULES = 'noindex, noarchive, nosnippet'

/** Pages of shares, and everything that the API or the network drive answers. The web app ignores the case of paths. */
const UNLISTED = /^\/(?:paste|file|s|bundle|api|dav)(?:[/.]|$)/i

function pathOf(url: string): string {
  const path = url.split('?')[0] ?? '/'
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Keeps search engines away from shares: from their pages, and from contents that are no page and therefore have no
 * robots element, such as raw texts, files and images. Errors have the header too, because a share can open later.
 */
export function installRobotsRule(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (UNLISTED.test(pathOf(request.url))) reply.header('x-robots-tag', RULES)
    done()
  })
}
