import type { FastifyRequest } from 'fastify'
import { actorOf, stillActorOf } from '../../../foundation/identity/request-actor.http.ts'
import { requireSameBase } from './receive.usecases.ts'

/**
 * Whether the sender of a share may still make it there: a key with another base path has another folder.
 * @throws {AppError} as `stillActorOf`; `auth.path_forbidden`
 */
export function stillShares(request: FastifyRequest): () => Promise<void> {
  const before = actorOf(request)
  return async () => requireSameBase(before, await stillActorOf(request))
}
