import type { FastifyRequest } from 'fastify'
import { actorOf, stillActorOf } from '../../../foundation/identity/request-actor.http.ts'
import { requireSameBase } from './receive.usecases.ts'

/**
 * Checks whether the sender may still share there: an API key with another base path has another folder.
 * @throws {AppError} as `stillActorOf`; `auth.path_forbidden`
 */
export function stillShares(request: FastifyRequest): () => Promise<void> {
  const before = actorOf(request)
  return async () => requireSameBase(before, await stillActorOf(request))
}
