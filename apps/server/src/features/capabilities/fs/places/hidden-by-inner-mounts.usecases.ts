import { isAtOrBelow, type VirtualPath } from '../../../../lib/paths.ts'
import type { MountRow } from '../../../foundation/mounts/mounts.table.ts'
import type { Place } from './places.usecases.ts'
import { pathOfKey } from '../transfers/transfer-run.usecases.ts'

/**
 * Returns whether an inner mount hides a storage key, so that no path leads to the key. A folder marker's key ends in a
 * slash.
 */
export type IsHidden = (key: string) => boolean

/** Returns a function that checks whether an inner mount hides a key of the given place. */
export function hiddenByInnerMounts(place: Place, mounts: readonly MountRow[]): IsHidden {
  const around = place.mount.mount_path as VirtualPath
  const inside = mounts
    .map((mount) => mount.mount_path as VirtualPath)
    .filter((path) => path !== around && isAtOrBelow(path, around))
  return (key) => {
    const path = pathOfKey(place, key).replace(/\/$/, '') as VirtualPath
    return inside.some((mount) => isAtOrBelow(path, mount))
  }
}
