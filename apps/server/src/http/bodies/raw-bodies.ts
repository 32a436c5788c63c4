import type { FastifyInstance } from 'fastify'
import { applyConditionPolicy, type ConditionPolicy } from './write-conditions.ts'

/**
 * Turns off body parsing for routes whose body is the file itself, of any type. Such routes read from `request.raw`.
 * @param o.conditions what happens to conditional headers; `checked` if the routes check the headers.
 */
export function leaveBodiesRaw(
  scope: FastifyInstance,
  { conditions = 'refused' }: { conditions?: ConditionPolicy | 'checked' } = {},
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  if (conditions !== 'checked') applyConditionPolicy(scope, conditions)
}
