import { mountErrors, type mountRoutes, type ParsedOf } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { forgetCached } from '../../../storage/cache-notices.ts'
import { type Actor, creatorOf } from '../identity/actor.models.ts'
import { requireMountPath } from './mounts.models.ts'
import { mountsRepository } from './mounts.repository.ts'
import type { MountRow } from './mounts.table.ts'

type CreateInput = ParsedOf<typeof mountRoutes.create, 'body'>
type UpdateInput = ParsedOf<typeof mountRoutes.update, 'body'>

/**
 * Converts violations of database constraints to API errors. The constraints ensure unique paths and existing
 * storages, even with concurrent requests.
 */
function translateConflict(error: unknown): unknown {
  if (isUniqueViolation(error)) return new AppError(mountErrors.path_taken, { cause: error })
  if (isForeignKeyViolation(error)) return new AppError(mountErrors.storage_unknown, { cause: error })
  return error
}

/** Clears the cached listings of a mount and its storage. */
async function forget(ctx: Needs<'notices'>, mount: MountRow): Promise<void> {
  await forgetCached(ctx.notices, mount.id)
  if (mount.storage_config_id !== null) await forgetCached(ctx.notices, mount.storage_config_id)
}

/** Returns all mounts, including inactive ones, by `sort_order`, then name. */
export const listMounts = (ctx: Needs<'db'>): Promise<MountRow[]> => mountsRepository(ctx.db).list()

/** @throws {AppError} `mount.not_found` */
export async function getMount(ctx: Needs<'db'>, id: string): Promise<MountRow> {
  const row = await mountsRepository(ctx.db).findById(id)
  if (!row) throw new AppError(mountErrors.not_found)
  return row
}

/** @throws {AppError} `mount.path_invalid`, `mount.path_reserved`, `mount.path_taken`, `mount.storage_unknown` */
export async function createMount(
  ctx: Needs<'clock' | 'db' | 'notices'>,
  actor: Actor,
  input: CreateInput,
): Promise<MountRow> {
  const nowMs = ctx.clock.nowMs()
  const row: MountRow = {
    ...input,
    id: newId(),
    mount_path: requireMountPath(input.mount_path),
    is_active: Number(input.is_active),
    created_by: creatorOf(actor),
    last_used_at_ms: null,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  }
  await mountsRepository(ctx.db)
    .insert(row)
    .catch((error: unknown) => Promise.reject(translateConflict(error)))
  await forget(ctx, row)
  return row
}

/** Changes the given fields of a mount. @throws {AppError} `mount.not_found`, and the errors of {@link createMount} */
export async function updateMount(
  ctx: Needs<'clock' | 'db' | 'notices'>,
  id: string,
  input: UpdateInput,
): Promise<void> {
  const before = await getMount(ctx, id)
  const { mount_path, is_active, ...others } = input
  const change = {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    ...(mount_path === undefined ? {} : { mount_path: requireMountPath(mount_path) }),
    ...(is_active === undefined ? {} : { is_active: Number(is_active) }),
    updated_at_ms: ctx.clock.nowMs(),
  }
  const isThere = await mountsRepository(ctx.db)
    .update(id, change)
    .catch((error: unknown) => Promise.reject(translateConflict(error)))
  if (!isThere) throw new AppError(mountErrors.not_found)
  await forget(ctx, before)
}

/** Deletes a mount, but not its files. @throws {AppError} `mount.not_found` */
export async function deleteMount(ctx: Needs<'db' | 'notices'>, id: string): Promise<void> {
  const mount = await getMount(ctx, id)
  if (!(await mountsRepository(ctx.db).delete(id))) throw new AppError(mountErrors.not_found)
  await forget(ctx, mount)
}
