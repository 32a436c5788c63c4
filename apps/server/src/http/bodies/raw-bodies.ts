import type { FastifyInstance } from 'fastify'

/**
 * Turns off body parsing for routes whose body is the file itself, of any type. Such routes read from `request.raw`.
 */
export function leaveBodiesRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}
