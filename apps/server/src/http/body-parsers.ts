import type { FastifyInstance } from 'fastify'

/**
 * How bodies become values. An empty one is no body, whatever its type says: older clients send the JSON type on every call.
 * Anything but JSON and form text is refused here; routes that take raw bytes replace these parsers.
 */
export function installBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json\b/,
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.length === 0) done(null, undefined)
      else void parseJson(request, body as string, done)
    },
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body.length === 0 ? undefined : Object.fromEntries(new URLSearchParams(body as string)))
    },
  )
}
