import type { LinkIssuer } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
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

/** The right that the issuer must still have when a signed URL is used. */
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
 * Returns the issuer to which a signed URL is bound: the API key or the administrator's session, and the object's
 * mount. A read URL requested by an administrator is meant to be shared, so it is bound only to the mount and outlasts
 * the session. With Basic authentication there is no session, so the URL is also bound only to the mount.
 * @returns `undefined` if an administrator's URL has neither a session nor a mount to be bound to
 */
export function issuerOf(actor: Actor, right: LinkRight, mount?: string): LinkIssuer | undefined {
  if (actor.kind === 'key') return { by: creatorOf(actor), right, scope: actor.basicPath, mount }
  if (right !== 'read' && actor.sessionId !== null)
    return { by: `${SESSION_PREFIX}${actor.sessionId}`, right, scope: EVERYWHERE, mount }
  return mount === undefined ? undefined : { by: ANYBODY, right, scope: EVERYWHERE, mount }
}

const isRight = (text: string): text is LinkRight => Object.hasOwn(RIGHTS, text)

/** The part of the issuer that the URL contains. The scope is part of the signature only. */
export type NamedIssuer = Omit<LinkIssuer, 'scope'>

export interface StoredObject {
  readonly configId: string
  readonly key: string
}

/** Whether the issuer can still reach the object. */
async function isReachable(
  ctx: Needs<'db'>,
  { configId, key }: StoredObject,
  { mount: mountId, actor }: { mount: string | undefined; actor: KeyActor | null },
): Promise<boolean> {
  if (actor && (await findConfig(ctx, configId))?.is_public !== 1) return false
  // Without a mount, the object belongs to a share. An API key can reach the share only while the key's base path has
  // an upload folder in the storage.
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
 * Finds the issuer of a signed URL, with its current rights.
 * @param object the URL's object; `null` if the URL has no object.
 * @returns `null` if the right is unknown, if the API key or session has ended, if the API key has lost the right, or
 * if the object is no longer reachable through the mount or for the API key.
 */
export async function findIssuer(
  ctx: Needs<'clock' | 'db'>,
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

/** Whether the session to which a URL is bound is still open. True for a URL that is bound only to a mount. */
async function isOpen(
  ctx: Needs<'clock' | 'db'>,
  { by, mount }: Pick<NamedIssuer, 'by' | 'mount'>,
): Promise<boolean> {
  if (by === ANYBODY) return mount !== undefined
  if (!by.startsWith(SESSION_PREFIX)) return false
  return isSessionOpen(ctx, by.slice(SESSION_PREFIX.length))
}
