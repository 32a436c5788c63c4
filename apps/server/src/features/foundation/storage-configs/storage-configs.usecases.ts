import { authErrors, LOCAL_DISK_PROVIDER, storageErrors } from '@dropleaf/contract'
import { parseStorageKey, type StorageDriver } from '@dropleaf/storage'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Actor } from '../identity/actor.models.ts'
import { storageConfigsRepository } from './storage-configs.repository.ts'
import type { StorageConfigRow } from './storage-configs.table.ts'

const mayUse = (actor: Actor, row: StorageConfigRow) => actor.kind === 'admin' || row.is_public === 1

/** Lists the storages that the caller is allowed to upload to, ordered by name. */
export async function listStorageConfigs(
  ctx: Needs<'db'>,
  actor: Actor,
): Promise<readonly StorageConfigRow[]> {
  return (await storageConfigsRepository(ctx.db).list()).filter((row) => mayUse(actor, row))
}

/**
 * Finds one of the storages in {@link listStorageConfigs}. @throws {AppError} `storage.not_found`, also for a storage
 * that is not available to the caller
 */
export async function getVisibleConfig(
  ctx: Needs<'db'>,
  actor: Actor,
  id: string,
): Promise<StorageConfigRow> {
  const row = await storageConfigsRepository(ctx.db).findById(id)
  if (!row || !mayUse(actor, row)) throw new AppError(storageErrors.not_found)
  return row
}

/**
 * Finds another storage if the caller cannot use the default. If the default is a bucket and the database supports
 * replicas, a local disk is never chosen. Its files would exist on one replica only.
 * @throws {AppError} `storage.default_closed`
 */
async function findSubstitute(ctx: Needs<'database' | 'db'>, usable: readonly StorageConfigRow[]) {
  if (!ctx.database.isShared) return usable[0]
  const isDisk = (row: StorageConfigRow) => row.provider_type === LOCAL_DISK_PROVIDER
  const standard = (await allConfigs(ctx)).find((row) => row.is_default === 1)
  if (!standard || isDisk(standard)) return usable[0]
  const others = usable.filter((row) => !isDisk(row))
  if (others.length === 0 && usable.length > 0) throw new AppError(storageErrors.default_closed)
  return others[0]
}

/**
 * Returns the storage for an upload: the requested storage, the default storage, or another storage that the caller
 * can use.
 * @throws {AppError} `storage.not_found`, `auth.storage_forbidden`, `storage.none`, `storage.default_closed`
 */
export async function requireUploadConfig(
  ctx: Needs<'database' | 'db'>,
  actor: Actor,
  id: string | null,
): Promise<StorageConfigRow> {
  if (id !== null) {
    const row = await storageConfigsRepository(ctx.db).findById(id)
    if (!row) throw new AppError(storageErrors.not_found)
    if (!mayUse(actor, row)) throw new AppError(authErrors.storage_forbidden)
    return row
  }
  const usable = await listStorageConfigs(ctx, actor)
  const chosen = usable.find((row) => row.is_default === 1) ?? (await findSubstitute(ctx, usable))
  if (!chosen) throw new AppError(storageErrors.none)
  return chosen
}

export const findConfig = (ctx: Needs<'db'>, id: string): Promise<StorageConfigRow | undefined> =>
  storageConfigsRepository(ctx.db).findById(id)

/**
 * Finds a storage by id without an access check, for objects that are already stored. @throws {AppError}
 * `storage.not_found`
 */
export async function getConfig(ctx: Needs<'db'>, id: string): Promise<StorageConfigRow> {
  const row = await findConfig(ctx, id)
  if (!row) throw new AppError(storageErrors.not_found)
  return row
}

export async function configsById(
  ctx: Needs<'db'>,
  ids: readonly string[],
): Promise<Map<string, StorageConfigRow>> {
  return new Map(
    (await storageConfigsRepository(ctx.db).findMany([...new Set(ids)])).map((row) => [row.id, row]),
  )
}

export const allConfigs = (ctx: Needs<'db'>): Promise<readonly StorageConfigRow[]> =>
  storageConfigsRepository(ctx.db).list()

/**
 * Returns the origins to which browsers send uploads and from which they read downloads, besides this server. Skips
 * storages that cannot be opened.
 */
export async function storageOrigins(ctx: Needs<'db' | 'storage'>): Promise<string[]> {
  const origins = new Set<string>()
  const any = parseStorageKey('any')
  const options = { expiresInSeconds: 60, contentDisposition: 'attachment' }
  for (const config of await allConfigs(ctx)) {
    const driver = await driverOf(ctx, config).catch(() => null)
    if (driver?.kind !== 's3') continue
    for (const url of [await driver.links.put(any, options), await driver.links.get(any, options)])
      origins.add(new URL(url).origin)
  }
  return [...origins]
}

/** @throws {StorageError} when the storage cannot be opened */
export const driverOf = (ctx: Needs<'storage'>, config: StorageConfigRow): Promise<StorageDriver> =>
  ctx.storage.driverFor(config)
