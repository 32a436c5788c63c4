import { authErrors, mountErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isAtOrBelow, type VirtualPath } from '../../../lib/paths.ts'
import type { Actor } from '../identity/actor.models.ts'
import { configsById } from '../storage-configs/storage-configs.usecases.ts'
import { mountsRepository } from './mounts.repository.ts'
import type { MountRow } from './mounts.table.ts'
import { visibleMounts } from './mounts.usecases.ts'

export interface UserMount {
  readonly row: MountRow
  readonly isPublic: boolean
}

async function withPublicity(ctx: Needs<'db'>, rows: readonly MountRow[]): Promise<UserMount[]> {
  const configs = await configsById(
    ctx,
    rows.flatMap((row) => row.storage_config_id ?? []),
  )
  return rows.map((row) => ({
    row,
    isPublic: configs.get(row.storage_config_id ?? '')?.is_public === 1,
  }))
}

export const listUserMounts = async (ctx: Needs<'db'>, actor: Actor): Promise<UserMount[]> =>
  withPublicity(ctx, await visibleMounts(ctx, actor))

/**
 * Finds an active mount. The mount list for an API key also contains the mounts above its base path, but the key is
 * not allowed to open these mounts.
 * @throws {AppError} `mount.not_found`; `auth.path_forbidden` for a mount that is not at or below the base path
 */
export async function getUserMount(ctx: Needs<'db'>, actor: Actor, id: string): Promise<UserMount> {
  const row = await mountsRepository(ctx.db).findById(id)
  const [mount] = row?.is_active === 1 ? await withPublicity(ctx, [row]) : []
  if (!mount || (actor.kind === 'key' && !mount.isPublic)) throw new AppError(mountErrors.not_found)
  const path = mount.row.mount_path as VirtualPath
  if (actor.kind === 'key' && !isAtOrBelow(path, actor.basicPath))
    throw new AppError(authErrors.path_forbidden)
  return mount
}
