import { DEFAULT_CACHE_TTL_SECONDS, MOUNT_STORAGE_TYPE } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { newId } from '../../../lib/ids.ts'
import { isAtOrBelow, pathBelow, type VirtualPath } from '../../../lib/paths.ts'
import type { Db } from '../../../schema.ts'
import type { PathActor } from '../identity/actor.models.ts'
import { mountsRepository } from './mounts.repository.ts'
import type { MountRow } from './mounts.table.ts'

/** Returns the number of mounts, including inactive ones. */
export const countMounts = (ctx: Needs<'db'>): Promise<number> => mountsRepository(ctx.db).count()

/** Minimum interval between updates of a mount's last-used time. */
const LAST_USED_EVERY_MS = 60_000

/** Creates the local disk's mount at the first start. */
export async function mountLocalDisk(
  ctx: Needs<'clock'>,
  db: Db,
  { configId, adminId }: { configId: string; adminId: string },
): Promise<void> {
  const nowMs = ctx.clock.nowMs()
  await mountsRepository(db).insert({
    id: newId(),
    name: 'Local disk',
    storage_type: MOUNT_STORAGE_TYPE,
    storage_config_id: configId,
    mount_path: '/local',
    remark: null,
    is_active: 1,
    created_by: adminId,
    sort_order: 0,
    cache_ttl: DEFAULT_CACHE_TTL_SECONDS,
    last_used_at_ms: null,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
  })
}

/**
 * Returns the folder of a storage to which an API key limited to `basicPath` uploads shares. This is the part of
 * `basicPath` below the longest mount path of the storage that contains `basicPath`. It is empty if the storage is only
 * mounted below `basicPath`.
 * @returns the folder without leading and trailing slashes; `null` if no mount of the storage is visible to the API
 * key.
 */
export async function uploadFolderFor(
  ctx: Needs<'db'>,
  { configId, basicPath }: { configId: string; basicPath: VirtualPath },
): Promise<string | null> {
  if (basicPath === '/') return ''
  const mounts = await mountsRepository(ctx.db).listActive()
  const paths = mounts
    .filter((mount) => mount.storage_config_id === configId)
    .map((mount) => mount.mount_path as VirtualPath)
  const around = paths.filter((path) => isAtOrBelow(basicPath, path)).sort((a, b) => b.length - a.length)[0]
  if (around !== undefined) return pathBelow(basicPath, around)
  return paths.some((path) => isAtOrBelow(path, basicPath)) ? '' : null
}

/**
 * Returns the active mounts that the caller can see, by `sort_order`, then name. An API key sees the mounts at, below
 * or above its base path whose storages are available to API keys. The reader of a share sees those mounts of the
 * share's owner that are at, below or above the shared path.
 */
export async function visibleMounts(ctx: Needs<'db'>, actor: PathActor): Promise<readonly MountRow[]> {
  const repository = mountsRepository(ctx.db)
  if (actor.kind === 'admin') return repository.listActive()
  const mounts =
    actor.kind === 'reader' ? await visibleMounts(ctx, actor.owner) : await repository.listOpenToKeys()
  return mounts.filter((mount) => {
    const path = mount.mount_path as VirtualPath
    return isAtOrBelow(path, actor.basicPath) || isAtOrBelow(actor.basicPath, path)
  })
}

/** Returns all active mounts, by `sort_order`, then name. */
export const activeMounts = (ctx: Needs<'db'>): Promise<readonly MountRow[]> =>
  mountsRepository(ctx.db).listActive()

/** Finds the innermost mount that contains `path`. */
export function findMountOf(mounts: readonly MountRow[], path: VirtualPath): MountRow | undefined {
  return mounts
    .filter((mount) => isAtOrBelow(path, mount.mount_path as VirtualPath))
    .sort((a, b) => b.mount_path.length - a.mount_path.length)[0]
}

export const pathOfObject = (mount: MountRow, key: string) => `${mount.mount_path}/${key}` as VirtualPath

/**
 * Whether an object of a mount is at or below a path. Compares in NFC, because a storage can return decomposed
 * characters.
 */
export const isBelowPath = (mount: MountRow, key: string, path: VirtualPath): boolean =>
  isAtOrBelow(pathOfObject(mount, key).normalize('NFC') as VirtualPath, path.normalize('NFC') as VirtualPath)

/** Whether an object is visible through a mount, that is, not covered by an inner mount. */
export const isSeenThrough = (mount: MountRow, key: string, mounts: readonly MountRow[]): boolean =>
  findMountOf(mounts, pathOfObject(mount, key))?.id === mount.id

const touchDueMs = (ctx: Needs<'clock'>) => ctx.clock.nowMs() - LAST_USED_EVERY_MS

export async function touchMount(ctx: Needs<'clock' | 'db'>, mount: MountRow): Promise<void> {
  await mountsRepository(ctx.db).touch(mount.id, { nowMs: ctx.clock.nowMs(), sinceMs: touchDueMs(ctx) })
}

/**
 * Updates a mount's last-used time in the background, at most once a minute. Cheap enough to call for every request.
 */
export function touchMountSoon(ctx: Needs<'clock' | 'db' | 'jobs'>, mount: MountRow): void {
  if (mount.last_used_at_ms !== null && mount.last_used_at_ms >= touchDueMs(ctx)) return
  ctx.jobs.background('mounts.touch', () => touchMount(ctx, mount))
}
