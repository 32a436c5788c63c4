import type { FastifyRequest } from 'fastify'
import { actorOf, stillActorOf } from '../../../foundation/identity/request-actor.http.ts'
import { requireSameBase } from './receive.usecases.ts'

/**
 * Returns a function that checks whether the sender is still allowed to share to the same folder. An API key with a
 * different base path has a different folder.
 * @throws {AppError} as `stillActorOf`; `auth.path_forbidden`
 */
export function stillShares(request: FastifyRequest): () => Promise<void> {
  const before = actorOf(request)
  return async () => requireSameBase(before, await stillActorOf(request))
}
