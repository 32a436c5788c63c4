import type { FastifyRequest } from 'fastify'
import { stillActorOf } from '../../../foundation/identity/request-actor.http.ts'
import { requireAccess } from './access.models.ts'

/**
 * Whether the sender of a body may still write where it goes: asked after its last byte, before anything shows.
 * @throws {AppError} as `stillActorOf`, `requireAccess`
 */
export async function requireStillWrites(request: FastifyRequest, path: string): Promise<void> {
  requireAccess(await stillActorOf(request), path, 'write')
}
