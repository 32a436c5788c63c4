import { authErrors } from '@dropleaf/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/app-error.ts'
import type { Actor, AdminActor } from './actor.models.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; `null` until a guarded route asked, and on public routes. */
    actor: Actor | null
    /** When that was asked; 0 before. */
    authorizedAtMs: number
  }
}

/**
 * The identity of a guarded route as it is now, for when a body has come to its end. What came at once costs nothing.
 * @throws {AppError} `auth.unauthorized` when its key or session has ended, `auth.forbidden` when it has lost the right
 */
export async function stillActorOf(request: FastifyRequest): Promise<Actor> {
  await request.server.authorizeStill(request)
  return actorOf(request)
}

/** The identity of a guarded route. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('A handler asked for the identity on a public route.')
  return request.actor
}

/** The administrator who calls. @throws {AppError} `auth.forbidden` for a key */
export function adminOf(request: FastifyRequest): AdminActor {
  const actor = actorOf(request)
  if (actor.kind !== 'admin') throw new AppError(authErrors.forbidden)
  return actor
}
