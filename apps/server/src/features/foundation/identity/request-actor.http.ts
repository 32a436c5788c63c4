import { authErrors } from '@dropleaf/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/app-error.ts'
import type { Actor, AdminActor } from './actor.models.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; `null` on public routes and before authorization. */
    actor: Actor | null
    /** Time of the authorization check; 0 before the check. */
    authorizedAtMs: number
  }
}

/**
 * Returns the caller with its current rights. Call when the request body is complete. Does not repeat a very recent
 * check.
 * @throws {AppError} `auth.unauthorized` if the API key or session has ended, `auth.forbidden` if the caller has lost
 * the right
 */
export async function stillActorOf(request: FastifyRequest): Promise<Actor> {
  await request.server.authorizeStill(request)
  return actorOf(request)
}

export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('A handler asked for the identity on a public route.')
  return request.actor
}

/** Returns the calling administrator. @throws {AppError} `auth.forbidden` for an API key */
export function adminOf(request: FastifyRequest): AdminActor {
  const actor = actorOf(request)
  if (actor.kind !== 'admin') throw new AppError(authErrors.forbidden)
  return actor
}
