import { fsErrors } from '@dropleaf/contract'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { isAtOrBelow, type VirtualPath } from '../../../../lib/paths.ts'
import { activeMounts } from '../../../foundation/mounts/mounts.usecases.ts'
import type { Place } from './places.usecases.ts'

/**
 * Checks that a folder contains no mount. Changing or copying such a folder as a whole would include files that the
 * mount hides, and omit files that the mount shows.
 * @throws {AppError} `fs.holds_mount`
 */
export async function requireNoMountIn(ctx: Needs<'db'>, place: Place): Promise<void> {
  const inside = (await activeMounts(ctx)).find(
    ({ id, mount_path }) => id !== place.mount.id && isAtOrBelow(mount_path as VirtualPath, place.path),
  )
  if (inside) throw new AppError(fsErrors.holds_mount, { params: { mount: inside.mount_path } })
}
