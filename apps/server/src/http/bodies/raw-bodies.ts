import type { FastifyInstance } from 'fastify'

/** For a scope of routes whose body is the file itself, of any type: nothing parses it, and it is read from `request.raw`. */
export function leaveBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}
