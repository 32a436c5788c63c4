import type { LinkIssuer } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { findKeyActorById } from '../api-keys/api-keys.usecases.ts'
import { activeMounts } from '../mounts/mounts.usecases.ts'
import { findConfig } from '../storage-configs/storage-configs.usecases.ts'
import { type Actor, creatorOf, keyIdOfCreator, type KeyActor } from './actor.models.ts'
import { authRepository } from './auth.repository.ts'

/** What somebody must still be allowed to do when an address that they asked for is used. */
export type LinkRight = 'file' | 'read' | 'write'

const SESSION_PREFIX = 'session:'
const ANYBODY = 'mount'
const EVERYWHERE = '/'

const RIGHTS: Readonly<Record<LinkRight, (actor: KeyActor) => boolean>> = {
  file: ({ canFile }) => canFile,
  read: ({ canMount }) => canMount,
  write: ({ canMount, isMountReadOnly }) => canMount && !isMountReadOnly,
}

/**
 * What an address is bound to: the key that asked for it, or the administrator's session, and the mount that leads to the
 * object. An address to read that the administrator asked for is meant for others, so it outlasts the session; a login by name
 * and password has no session. `undefined` where there is nothing to bind it to.
 */
export function issuerOf(actor: Actor, right: LinkRight, mount?: string): LinkIssuer | undefined {
  if (actor.kind === 'key') return { by: creatorOf(actor), right, scope: actor.basicPath, mount }
  if (right !== 'read' && actor.sessionId !== null)
    return { by: `${SESSION_PREFIX}${actor.sessionId}`, right, scope: EVERYWHERE, mount }
  return mount === undefined ? undefined : { by: ANYBODY, right, scope: EVERYWHERE, mount }
}

const isRight = (text: string): text is LinkRight => Object.hasOwn(RIGHTS, text)

/** What an address names of its issuer; the scope is signed only. */
export type NamedIssuer = Omit<LinkIssuer, 'scope'>

/** Whether a mount leads to a storage still, and keys may use it where one does. */
async function isReachable(
  ctx: AppContext,
  { mount, configId, isForKey }: { mount: string | undefined; configId: string | null; isForKey: boolean },
): Promise<boolean> {
  if (configId === null) return true
  if (isForKey && (await findConfig(ctx, configId))?.is_public !== 1) return false
  if (mount === undefined) return true
  return (await activeMounts(ctx)).some(
    ({ id, storage_config_id }) => id === mount && storage_config_id === configId,
  )
}

/**
 * Looks up what an address is bound to, with its rights of today.
 * @param configId the storage that the address leads to; `null` for one that leads to none.
 * @returns `null` when the key or session has ended, the key has lost the right, or the way to the storage is closed.
 */
export async function findIssuer(
  ctx: AppContext,
  { by, right, mount }: NamedIssuer,
  configId: string | null,
): Promise<LinkIssuer | null> {
  const keyId = keyIdOfCreator(by)
  if (!isRight(right) || !(await isReachable(ctx, { mount, configId, isForKey: keyId !== null }))) return null
  if (by === ANYBODY) return mount === undefined ? null : { by, right, scope: EVERYWHERE, mount }
  if (by.startsWith(SESSION_PREFIX)) {
    const id = by.slice(SESSION_PREFIX.length)
    const isOpen = await authRepository(ctx.db).hasSession(id, ctx.clock.nowMs())
    return isOpen ? { by, right, scope: EVERYWHERE, mount } : null
  }
  const actor = keyId === null ? null : await findKeyActorById(ctx, keyId)
  return actor && RIGHTS[right](actor) ? { by, right, scope: actor.basicPath, mount } : null
}
