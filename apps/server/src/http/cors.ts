import type { FastifyInstance } from 'fastify'

const METHODS = 'GET,HEAD,PUT,POST,DELETE,OPTIONS,PROPFIND,PROPPATCH,MKCOL,COPY,MOVE,LOCK,UNLOCK'
const MAX_AGE_SECONDS = 86_400

const isDrive = (url: string) => /^\/dav(?:[/?]|$)/.test(url)

/** Network drives ask by OPTIONS what a server can do; Windows asks the root of the host, wherever the drive is. */
const isAskedByDrives = (url: string) => isDrive(url) || url === '/'

/**
 * Any origin may call the API: credentials travel in a header that only a page which knows them can set, never in cookies.
 * Preflights are answered for every address, before authentication.
 */
export function installCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight =
      request.method === 'OPTIONS' &&
      (!isAskedByDrives(request.url) || request.headers['access-control-request-method'] !== undefined)
    if (!isPreflight && !request.url.startsWith('/api/') && !isDrive(request.url)) {
      done()
      return
    }
    reply
      .header('access-control-allow-origin', request.headers.origin ?? '*')
      .header('access-control-expose-headers', 'ETag,Content-Length,Content-Disposition,Retry-After')
      .header('vary', 'Origin')
    if (!isPreflight) {
      done()
      return
    }
    reply
      .code(204)
      .headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers':
          request.headers['access-control-request-headers'] ?? 'Content-Type,Authorization',
        'access-control-expose-headers': 'ETag,Content-Type,Content-Length,Last-Modified',
        'access-control-max-age': MAX_AGE_SECONDS,
      })
      .send()
  })
}
