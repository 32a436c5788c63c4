import { type Access, isGuarded } from '@dropleaf/contract'
import type { VirtualPath } from '../../../lib/paths.ts'

export interface AdminActor {
  readonly kind: 'admin'
  readonly id: string
  readonly username: string
  readonly via: 'bearer' | 'basic'
  /** Hash of the presented token, and the session that it opens; `null` under Basic. */
  readonly sessionHash: string | null
  readonly sessionId: string | null
}

/** The administrator who was known by the password, or who made what is looked at now. */
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

/** Someone with a credential. */
export type Actor = AdminActor | KeyActor

/** Whether the identity opens a route of that access. */
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

/** How the creator of something is written down: an admin's bare id, or `apikey:` and the key's id. */
export const creatorOf = (actor: Actor): string =>
  actor.kind === 'admin' ? actor.id : `${KEY_PREFIX}${actor.id}`

/** How someone is named in the audit log. */
export const auditActorOf = (actor: Actor) =>
  actor.kind === 'admin'
    ? { actor_kind: 'admin' as const, actor_id: actor.id, actor_name: actor.username }
    : { actor_kind: 'key' as const, actor_id: actor.id, actor_name: actor.name }

/** The id of the key that made something, or `null` when no key did. */
export const keyIdOfCreator = (creator: string | null): string | null =>
  creator?.startsWith(KEY_PREFIX) ? creator.slice(KEY_PREFIX.length) : null

/** Whether `actor` may manage what `creator` made. */
export const owns = (actor: Actor, creator: string | null): boolean =>
  actor.kind === 'admin' || creator === creatorOf(actor)

/** What narrows a query to the shares that an identity manages: every one for an administrator, a key's own. */
export const ownerFilter = (actor: Actor): { readonly createdBy?: string } =>
  actor.kind === 'admin' ? {} : { createdBy: creatorOf(actor) }
