import type { Needs } from '../../../context.ts'
import { isBelowKey, type StorageName } from '../../../lib/object-names.ts'
import type { VirtualPath } from '../../../lib/paths.ts'
import { type Actor, creatorOf } from '../../foundation/identity/actor.models.ts'
import { mayRead } from '../../capabilities/fs/places/access.models.ts'
import type { Place } from '../../capabilities/fs/places/places.usecases.ts'
import { pathOfKey } from '../../capabilities/fs/transfers/transfer-run.usecases.ts'
import { driveRootOf, hrefOf } from './hrefs.models.ts'
import type { DavLockRow } from '../../foundation/object-locks/locks.repository.ts'

/**
 * Returns the `href` of a locked resource, as the caller reaches it. The lock was found on the resource `name`, on an
 * entry in it, or on one of its parent folders.
 */
export function hrefOfLock(
  { config }: Needs<'config'>,
  { place, name, isFolder }: { place: Place; name: StorageName; isFolder: boolean },
  { storage_key: key }: DavLockRow,
): string {
  const isOnFolder = key === name.key ? isFolder : isBelowKey(name.key, key)
  return hrefOf(driveRootOf(config), pathOfKey(place, key), { isFolder: isOnFolder })
}

/**
 * Whether the caller can see the owner and token of a lock. For a lock on an unreadable folder, the caller only sees
 * that files inside are locked.
 * Source: RFC 4918, section 15.8, read 2026-11-23.
 */
export const maySeeTaker = (actor: Actor, place: Place, lock: DavLockRow): boolean =>
  lock.created_by === creatorOf(actor) || mayRead(actor, pathOfKey(place, lock.storage_key) as VirtualPath)
