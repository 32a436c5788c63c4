import type { FastifyInstance } from 'fastify'

/** The robots element of the pages has the same rules, for programs that do not evaluate headers. */
const RULES = 'noindex, noarchive, nosnippet'

/**
 * Matches pages of shares, and all URLs of the API and the network drive. Ignores case, because paths of the web app
 * are case-insensitive.
 */
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
 * Excludes shares from search engines. Raw texts, files and images also have the header, because they cannot contain a
 * robots element. Errors also have the header, because a share can become available later.
 */
export function installRobotsRule(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (UNLISTED.test(pathOf(request.url))) reply.header('x-robots-tag', RULES)
    done()
  })
}
