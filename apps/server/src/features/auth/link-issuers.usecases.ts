import type { LinkIssuer } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { findKeyActorById } from '../api-keys/api-keys.usecases.ts'
import { type Actor, creatorOf, keyIdOfCreator, type KeyActor } from './actor.models.ts'
import { authRepository } from './auth.repository.ts'

/** What somebody must still be allowed to do when an address that they asked for is used. */
export type LinkRight = 'file' | 'read' | 'write'

const SESSION_PREFIX = 'session:'
const EVERYWHERE = '/'

const RIGHTS: Readonly<Record<LinkRight, (actor: KeyActor) => boolean>> = {
  file: ({ canFile }) => canFile,
  read: ({ canMount }) => canMount,
  write: ({ canMount, isMountReadOnly }) => canMount && !isMountReadOnly,
}

/**
 * Whom an address is bound to: a key, or for what is not just to be read the session of the administrator. `undefined` where
 * nothing can be taken back: what the administrator gives out to be read is for others and outlasts the session; a name and a
 * password have none.
 */
export function issuerOf(actor: Actor, right: LinkRight): LinkIssuer | undefined {
  if (actor.kind === 'key') return { by: creatorOf(actor), right, scope: actor.basicPath }
  if (right === 'read' || actor.sessionId === null) return undefined
  return { by: `${SESSION_PREFIX}${actor.sessionId}`, right, scope: EVERYWHERE }
}

const isRight = (text: string): text is LinkRight => Object.hasOwn(RIGHTS, text)

/**
 * The one an address names, as things are now.
 * @returns `null` when the key or session has ended, or the key has lost the right.
 */
export async function findIssuer(
  ctx: AppContext,
  { by, right }: Pick<LinkIssuer, 'by' | 'right'>,
): Promise<LinkIssuer | null> {
  if (!isRight(right)) return null
  if (by.startsWith(SESSION_PREFIX)) {
    const id = by.slice(SESSION_PREFIX.length)
    const isOpen = await authRepository(ctx.db).hasSession(id, ctx.clock.nowMs())
    return isOpen ? { by, right, scope: EVERYWHERE } : null
  }
  const keyId = keyIdOfCreator(by)
  const actor = keyId === null ? null : await findKeyActorById(ctx, keyId)
  return actor && RIGHTS[right](actor) ? { by, right, scope: actor.basicPath } : null
}
