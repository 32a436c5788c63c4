import type { FastifyRequest } from 'fastify'
import { stillActorOf } from '../../../foundation/identity/request-actor.http.ts'
import { requireAccess } from './access.models.ts'

/**
 * Checks whether the sender of a request body may still write. Called after the last byte of the body and before the
 * commit.
 * @throws {AppError} as `stillActorOf`, `requireAccess`
 */
export async function requireStillWrites(request: FastifyRequest, path: string): Promise<void> {
  requireAccess(await stillActorOf(request), path, 'write')
}
