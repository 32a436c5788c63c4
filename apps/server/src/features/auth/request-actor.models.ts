import type { FastifyRequest } from 'fastify'
import type { Actor } from './actor.models.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; `null` until a guarded route asked, and on public routes. */
    actor: Actor | null
  }
}

/** The identity of a guarded route. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error('A handler asked for the identity on a public route.')
  return request.actor
}
