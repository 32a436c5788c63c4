import { StorageError } from '@dropleaf/storage'
import type { Needs, StorageNeeds } from '../../../../context.ts'
import { filesRepository } from '../files.repository.ts'
import { carryOutRemovalsSoon, planRemoval } from '../objects/removals.usecases.ts'
import { planStrayRemoval } from '../objects/stray-objects.usecases.ts'
import type { Reservation } from './uploads.usecases.ts'

/** Deletes an uncommitted share and its object, if any. @returns whether the share existed */
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
 * Deletes the share of a failed write. If the key was already taken, its object belongs to another share and is not
 * deleted. If another request deleted the share while its bytes arrived, deletes the bytes again, because the first
 * deletion came too early. Bytes under a key that the user chose are not deleted again.
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
