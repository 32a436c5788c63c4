import { type Access, isGuarded } from '@dropleaf/contract'
import type { VirtualPath } from '../../../lib/paths.ts'

export interface AdminActor {
  readonly kind: 'admin'
  readonly id: string
  readonly username: string
  readonly via: 'bearer' | 'basic'
  /** SHA-256 of the presented token, and the session's id; `null` without a session. */
  readonly sessionHash: string | null
  readonly sessionId: string | null
}

/** Builds the actor of an administrator who has no session, for example with Basic authentication. */
export const adminWithoutSession = ({ id, username }: { id: string; username: string }): AdminActor => ({
  kind: 'admin',
  id,
  username,
  via: 'basic',
  sessionHash: null,
  sessionId: null,
})

export interface KeyActor {
  readonly kind: 'key'
  readonly id: string
  readonly name: string
  readonly basicPath: VirtualPath
  readonly canText: boolean
  readonly canFile: boolean
  readonly canMount: boolean
  readonly isMountReadOnly: boolean
}

export type Actor = AdminActor | KeyActor

/**
 * The reader of a file or folder of a mount in a bundle. The reader can read files at or below `basicPath` with the
 * permissions of the bundle's owner, and cannot write.
 */
export interface ReaderActor {
  readonly kind: 'reader'
  /** Id of the bundle. */
  readonly id: string
  readonly basicPath: VirtualPath
  readonly owner: Actor
}

/** An actor for which paths of the file system are resolved. */
export type PathActor = Actor | ReaderActor

/** Whether the caller is allowed to use a route with this access. */
export function opens(actor: Actor, access: Access): boolean {
  if (actor.kind === 'admin' || !isGuarded(access) || access === 'identity') return true
  switch (access) {
    case 'text':
      return actor.canText
    case 'file':
      return actor.canFile
    case 'text_or_file':
      return actor.canText || actor.canFile
    case 'mount':
      return actor.canMount
    case 'admin':
      return false
  }
}

const KEY_PREFIX = 'apikey:'

/** Returns the creator as stored: an administrator's id, or `apikey:` followed by an API key's id. */
export const creatorOf = (actor: Actor): string =>
  actor.kind === 'admin' ? actor.id : `${KEY_PREFIX}${actor.id}`

/** Returns the actor's fields for the audit log. */
export const auditActorOf = (actor: Actor) =>
  actor.kind === 'admin'
    ? { actor_kind: 'admin' as const, actor_id: actor.id, actor_name: actor.username }
    : { actor_kind: 'key' as const, actor_id: actor.id, actor_name: actor.name }

/** Returns the id of the API key that is the creator; `null` if the creator is not an API key. */
export const keyIdOfCreator = (creator: string | null): string | null =>
  creator?.startsWith(KEY_PREFIX) ? creator.slice(KEY_PREFIX.length) : null

/** Whether `actor` is allowed to manage resources of `creator`. */
export const owns = (actor: Actor, creator: string | null): boolean =>
  actor.kind === 'admin' || creator === creatorOf(actor)

/**
 * Returns a filter for the shares that the actor manages: all shares for an administrator, only its own shares for an
 * API key.
 */
export const ownerFilter = (actor: Actor): { readonly createdBy?: string } =>
  actor.kind === 'admin' ? {} : { createdBy: creatorOf(actor) }
