import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import type { StorageKey } from '@dropleaf/storage'
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { eachOf } from '../../../../lib/concurrency.ts'
import type { Db } from '../../../../schema.ts'
import { keyOnRecord } from '../../../../storage/key-on-record.ts'
import { heldStorages } from '../../../foundation/restored/restored.usecases.ts'
import { configsById, driverOf } from '../../../foundation/storage-configs/storage-configs.usecases.ts'
import type { FileRow, ObjectRemovalsTable } from '../files.table.ts'
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

/** Tries again later what could not be removed. */
async function postpone(ctx: AppContext, removal: ObjectRemovalsTable, error: unknown): Promise<void> {
  const { id, storage_key: key, attempts } = removal
  ctx.log.warn({ err: error, key }, 'an object could not be removed; it is tried again')
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** attempts, MAX_DELAY_MS)
  await removalsRepository(ctx.db).postpone(id, attempts + 1, ctx.clock.nowMs() + delayMs)
}

/** @returns why objects are still there, by the ids of their removals. */
async function tryRemovals(
  ctx: AppContext,
  due: readonly ObjectRemovalsTable[],
): Promise<Map<string, unknown>> {
  const configId = due[0]?.storage_config_id ?? ''
  const failed = new Map<string, unknown>()
  try {
    const config = (await configsById(ctx, [configId])).get(configId)
    if (!config) return failed
    const driver = await driverOf(ctx, config)
    const idsOf = new Map<StorageKey, string[]>()
    for (const { id, storage_key } of due) {
      try {
        const key = keyOnRecord(driver, storage_key)
        idsOf.set(key, [...(idsOf.get(key) ?? []), id])
      } catch (error) {
        // A key that this storage cannot have keeps none of the others.
        failed.set(id, error)
      }
    }
    const result = await driver.remove([...idsOf.keys()])
    for (const { key, error } of result.failed) for (const id of idsOf.get(key) ?? []) failed.set(id, error)
    return failed
  } catch (error) {
    return new Map(due.map(({ id }) => [id, error]))
  }
}

/** Removes from one storage the objects whose rows are gone, as far as they are due. */
async function removeDue(ctx: AppContext, configId: string, signal?: AbortSignal): Promise<true> {
  const repository = removalsRepository(ctx.db)
  for (;;) {
    const due = await repository.findDue(configId, { nowMs: ctx.clock.nowMs(), limit: BATCH })
    if (due.length === 0) return true
    const failed = await tryRemovals(ctx, due)
    const gone = due.filter(({ id }) => !failed.has(id))
    if (gone.length > 0) await repository.done(gone.map(({ id }) => id))
    for (const removal of due)
      if (failed.has(removal.id)) await postpone(ctx, removal, failed.get(removal.id))
    if (signal?.aborted) return true
  }
}

/** Storages that removals are carried out in at once. One that does not answer keeps nobody waiting who comes later. */
const STORAGES_AT_ONCE = 2

/**
 * Carries out the planned removals, unless another process is at it. A storage that fails is asked again later; in one that is
 * held after a restore they wait. @param only in this storage
 */
export async function carryOutRemovals(ctx: AppContext, signal?: AbortSignal, only?: string): Promise<void> {
  const repository = removalsRepository(ctx.db)
  const dueConfigs = () => repository.dueConfigs(ctx.clock.nowMs())
  const held = await heldStorages(ctx)
  const configIds = (await dueConfigs()).filter((id) => !held.has(id) && (only ?? id) === id)
  await eachOf(configIds, STORAGES_AT_ONCE, async (configId) => {
    const turn = () => ctx.database.exclusively(`${LOCK}:${configId}`, () => removeDue(ctx, configId, signal))
    // Whoever plans one meanwhile finds the lock held, and leaves it to this turn: it looks again afterwards.
    const isLeft = async () => signal?.aborted !== true && (await dueConfigs()).includes(configId)
    while ((await turn()) && (await isLeft()));
  })
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
    await carryOutRemovals(ctx, undefined, object.configId)
    await sleep(WAIT_MS)
  }
  throw new AppError(requestErrors.unavailable)
}
