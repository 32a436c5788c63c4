import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import { removeAll } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Db } from '../../schema.ts'
import { keyOnRecord } from '../../storage/key-on-record.ts'
import { heldStorages } from '../restored/restored.usecases.ts'
import { noteChange } from '../search/storage-changes.usecases.ts'
import { configsById, driverOf } from '../storage-configs/storage-configs.usecases.ts'
import type { FileRow } from './files.table.ts'
import { removalsRepository } from './removals.repository.ts'

const BATCH = 200
const LOCK = 'object-removals'
const FIRST_DELAY_MS = 60_000
const MAX_DELAY_MS = 6 * 3_600_000

/** In the transaction that drops a share's row: plans that its object goes too, if that is its own. */
export async function planRemoval(
  trx: Db,
  share: Pick<FileRow, 'storage_config_id' | 'storage_key' | 'owns_object'>,
  nowMs: number,
): Promise<void> {
  if (share.owns_object === 1) await removalsRepository(trx).add(share, nowMs)
}

/**
 * Removes the objects whose rows are gone, as far as they are due. A storage that fails is asked again later; in one that is
 * held after a restore they wait.
 */
async function removeDue(ctx: AppContext, signal?: AbortSignal): Promise<void> {
  const repository = removalsRepository(ctx.db)
  for (;;) {
    const due = await repository.findDue(ctx.clock.nowMs(), {
      limit: BATCH,
      heldConfigs: await heldStorages(ctx),
    })
    const configs = await configsById(
      ctx,
      due.map((removal) => removal.storage_config_id),
    )
    for (const removal of due) {
      const config = configs.get(removal.storage_config_id)
      try {
        const driver = config ? await driverOf(ctx, config) : null
        if (driver) await removeAll(driver, [keyOnRecord(driver, removal.storage_key)])
        await repository.done([removal.id])
        await noteChange(ctx, { configId: removal.storage_config_id, removed: [removal.storage_key] })
      } catch (error) {
        ctx.log.warn(
          { err: error, key: removal.storage_key },
          'an object could not be removed; it is tried again',
        )
        const delayMs = Math.min(FIRST_DELAY_MS * 2 ** removal.attempts, MAX_DELAY_MS)
        await repository.postpone(removal.id, removal.attempts + 1, ctx.clock.nowMs() + delayMs)
      }
    }
    // Whoever plans one meanwhile finds the lock held, and leaves it to this turn.
    if (due.length === 0 || signal?.aborted) return
  }
}

/** Carries out the planned removals, unless another process is at it. */
export async function carryOutRemovals(ctx: AppContext, signal?: AbortSignal): Promise<void> {
  await ctx.database.exclusively(LOCK, () => removeDue(ctx, signal))
}

/** The same, soon, without making anyone wait or fail. */
export function carryOutRemovalsSoon(ctx: AppContext): void {
  ctx.jobs.background('files.remove-objects', () => carryOutRemovals(ctx))
}

const WAIT_TRIES = 50
const WAIT_MS = 100

/**
 * Waits until no removal is planned for a key that is about to be written again. In a storage that is held after a restore
 * the removal is given up.
 * @throws {AppError} `request.unavailable` when it could not be carried out in time: it would take the new object.
 */
export async function settleRemovalOf(
  ctx: AppContext,
  object: { configId: string; key: string },
): Promise<void> {
  const repository = removalsRepository(ctx.db)
  for (let tries = 0; tries < WAIT_TRIES; tries += 1) {
    if (!(await repository.isPlanned(object.configId, object.key))) return
    if ((await heldStorages(ctx)).has(object.configId)) {
      await repository.cancel(object.configId, object.key)
      return
    }
    await carryOutRemovals(ctx)
    await sleep(WAIT_MS)
  }
  throw new AppError(requestErrors.unavailable)
}
