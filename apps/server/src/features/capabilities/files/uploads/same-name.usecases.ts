import type { Needs, StorageNeeds } from '../../../../context.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import { withCapacity } from '../../../foundation/storage-usage/storage-usage.usecases.ts'
import { filesRepository } from '../files.repository.ts'
import { claimKeys, sharesReplaced } from '../objects/shared-objects.usecases.ts'
import type { Reservation, StoredBytes } from './uploads.usecases.ts'

/** Whether the object with this name belongs to a share of the same creator and can therefore be replaced. */
export async function isOwnObject(
  ctx: Needs<'db'>,
  creator: string | null,
  object: { configId: string; key: string },
): Promise<boolean> {
  const row = await filesRepository(ctx.db).findByObject(object.configId, object.key)
  if (!row || row.committed_at_ms === null || row.owns_object === 0 || row.bundle_id !== null) return false
  return row.created_by === creator
}

/**
 * Copies an upload over the existing object with the same name, so that the earlier share has the new bytes as well.
 * Each share has its own object, because either share can be deleted.
 * @throws {AppError} `file.storage_full` if the copy exceeds the capacity; as `claimKeys`
 */
export async function replaceNamesake(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  { config, driver, key, replaces }: Reservation,
  { sizeBytes, sha256 }: StoredBytes,
): Promise<void> {
  if (replaces === null) return
  const configId = config.id
  const { isShared } = await claimKeys(ctx, { configId, keys: [replaces] })
  // Copies nothing if the share of the existing object was deleted in the meantime, together with the object.
  if (!isShared) return
  const old = await driver.stat(keyOnRecord(driver, replaces))
  const growth = Math.max(0, sizeBytes - (old?.sizeBytes ?? 0))
  await withCapacity(ctx, { config, sizeBytes: growth }, async () => {
    const stat = await driver.copy(key, replaces)
    await sharesReplaced(ctx, { configId, objects: [{ ...stat, sha256 }] })
  })
}
