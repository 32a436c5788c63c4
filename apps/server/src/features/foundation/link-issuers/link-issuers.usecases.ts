import type { LinkIssuer } from '@dropleaf/storage'
import type { AppContext } from '../../../context.ts'
import { findKeyActorById } from '../identity/api-keys.usecases.ts'
import {
  activeMounts,
  isBelowPath,
  isSeenThrough,
  uploadFolderFor,
  visibleMounts,
} from '../mounts/mounts.usecases.ts'
import { findConfig } from '../storage-configs/storage-configs.usecases.ts'
import { type Actor, creatorOf, keyIdOfCreator, type KeyActor } from '../identity/actor.models.ts'
import { isSessionOpen } from '../identity/sessions.usecases.ts'

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

export interface StoredObject {
  readonly configId: string
  readonly key: string
}

/** Whether the object can still be reached in the way in which the address was asked for. */
async function isReachable(
  ctx: AppContext,
  { configId, key }: StoredObject,
  { mount: mountId, actor }: { mount: string | undefined; actor: KeyActor | null },
): Promise<boolean> {
  if (actor && (await findConfig(ctx, configId))?.is_public !== 1) return false
  // Shares are uploaded to the folder that the key's base path stands for; without one they have no place.
  if (mountId === undefined)
    return !actor || (await uploadFolderFor(ctx, { configId, basicPath: actor.basicPath })) !== null
  const mounts = await (actor ? visibleMounts(ctx, actor) : activeMounts(ctx))
  const mount = mounts.find(({ id, storage_config_id }) => id === mountId && storage_config_id === configId)
  return (
    mount !== undefined &&
    isSeenThrough(mount, key, mounts) &&
    (!actor || isBelowPath(mount, key, actor.basicPath))
  )
}

/**
 * Looks up what an address is bound to, with its rights of today.
 * @param object that the address leads to; `null` for one that leads to none.
 * @returns `null` when the key or session has ended, the key has lost the right or the path, or the way to the object is closed.
 */
export async function findIssuer(
  ctx: AppContext,
  { by, right, mount }: NamedIssuer,
  object: StoredObject | null,
): Promise<LinkIssuer | null> {
  if (!isRight(right)) return null
  const keyId = keyIdOfCreator(by)
  const actor = keyId === null ? null : await findKeyActorById(ctx, keyId)
  const isHeld = keyId === null ? await isOpen(ctx, { by, mount }) : actor && RIGHTS[right](actor)
  if (!isHeld || (object && !(await isReachable(ctx, object, { mount, actor })))) return null
  return { by, right, scope: actor?.basicPath ?? EVERYWHERE, mount }
}

/** Whether the session has not ended, for an address that is bound to one. */
async function isOpen(ctx: AppContext, { by, mount }: Pick<NamedIssuer, 'by' | 'mount'>): Promise<boolean> {
  if (by === ANYBODY) return mount !== undefined
  if (!by.startsWith(SESSION_PREFIX)) return false
  return isSessionOpen(ctx, by.slice(SESSION_PREFIX.length))
}
