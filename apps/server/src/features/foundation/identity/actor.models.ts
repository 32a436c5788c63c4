import { type Access, isGuarded } from '@dropleaf/contract'
import type { VirtualPath } from '../../../lib/paths.ts'

export interface AdminActor {
  readonly kind: 'admin'
  readonly id: string
  readonly username: string
  readonly via: 'bearer' | 'basic'
  /** Hash of the presented token, and the id of its session; `null` with Basic authentication. */
  readonly sessionHash: string | null
  readonly sessionId: string | null
}

/** An administrator without a session: logged in by password, or the creator of something. */
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

/** An authenticated caller. */
export type Actor = AdminActor | KeyActor

/** Whether the caller may use a route with that access. */
export function opens(actor: Actor, access: Access): boolean {
  if (actor.kind === 'admin' || !isGuarded(access) || access === 'identity') return true
  switch (access) {
    case 'text':
      return actor.canText
    case 'file':
      return actor.canFile
    case 'mount':
      return actor.canMount
    case 'admin':
      return false
  }
}

const KEY_PREFIX = 'apikey:'

/** The creator as it is stored: an administrator's id, or `apikey:` and the API key's id. */
export const creatorOf = (actor: Actor): string =>
  actor.kind === 'admin' ? actor.id : `${KEY_PREFIX}${actor.id}`

/** The actor's fields in the audit log. */
export const auditActorOf = (actor: Actor) =>
  actor.kind === 'admin'
    ? { actor_kind: 'admin' as const, actor_id: actor.id, actor_name: actor.username }
    : { actor_kind: 'key' as const, actor_id: actor.id, actor_name: actor.name }

/** The id of the API key that created something, or `null` if the creator is not an API key. */
export const keyIdOfCreator = (creator: string | null): string | null =>
  creator?.startsWith(KEY_PREFIX) ? creator.slice(KEY_PREFIX.length) : null

/** Whether `actor` may manage what `creator` has created. */
export const owns = (actor: Actor, creator: string | null): boolean =>
  actor.kind === 'admin' || creator === creatorOf(actor)

/** Filters shares by what the caller manages: all for an administrator, its own for an API key. */
export const ownerFilter = (actor: Actor): { readonly createdBy?: string } =>
  actor.kind === 'admin' ? {} : { createdBy: creatorOf(actor) }
