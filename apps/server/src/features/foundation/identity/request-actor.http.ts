import { authErrors } from '@dropleaf/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/app-error.ts'
import type { Actor, AdminActor } from './actor.models.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; `null` before authorization, and on public routes. */
    actor: Actor | null
    /** Time of the authorization; 0 before. */
    authorizedAtMs: number
  }
}

/**
 * The caller with its current rights, for the end of a body. Costs nothing if the body arrived at once.
 * @throws {AppError} `auth.unauthorized` if its API key or session has ended, `auth.forbidden` if it has lost the right
 */
export async function stillActorOf(request: FastifyRequest): Promise<Actor> {
  await request.server.authorizeStill(request)
  return actorOf(request)
}

/** The caller of a route that requires a credential. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('A handler asked for the identity on a public route.')
  return request.actor
}

/** The calling administrator. @throws {AppError} `auth.forbidden` for an API key */
export function adminOf(request: FastifyRequest): AdminActor {
  const actor = actorOf(request)
  if (actor.kind !== 'admin') throw new AppError(authErrors.forbidden)
  return actor
}
