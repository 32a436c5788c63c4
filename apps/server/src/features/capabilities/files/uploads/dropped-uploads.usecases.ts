import { StorageError } from '@dropleaf/storage'
import type { Needs, StorageNeeds } from '../../../../context.ts'
import { filesRepository } from '../files.repository.ts'
import { carryOutRemovalsSoon, planRemoval } from '../objects/removals.usecases.ts'
import { planStrayRemoval } from '../objects/stray-objects.usecases.ts'
import type { Reservation } from './uploads.usecases.ts'

/** Deletes a pending upload, and schedules the deletion of its object. @returns whether the upload was pending */
export async function dropUpload(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  id: string,
): Promise<boolean> {
  const nowMs = ctx.clock.nowMs()
  const object = await ctx.database.transaction(async (trx) => {
    const deleted = await filesRepository(trx).deletePending(id)
    if (deleted) await planRemoval(trx, deleted, nowMs)
    return deleted
  })
  carryOutRemovalsSoon(ctx)
  return object !== undefined
}

/**
 * Deletes the pending upload of a failed write. If the key was already taken, the object under this key is not from
 * this upload and is not deleted. If another request deleted the upload while its bytes arrived, deletes the bytes
 * again, because the first deletion came too early. Bytes under a key that the user chose are not deleted again.
 */
export async function dropFailedUpload(
  ctx: StorageNeeds & Needs<'database' | 'log'>,
  { row, isNamed }: Pick<Reservation, 'row' | 'isNamed'>,
  error: unknown,
): Promise<void> {
  if (error instanceof StorageError && error.code === 'storage.exists') {
    await filesRepository(ctx.db).deletePending(row.id)
    return
  }
  if ((await dropUpload(ctx, row.id)) || isNamed) return
  if (await planStrayRemoval(ctx, row.storage_config_id, row.storage_key)) carryOutRemovalsSoon(ctx)
}
