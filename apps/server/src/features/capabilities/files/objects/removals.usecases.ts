import { setTimeout as sleep } from 'node:timers/promises'
import { requestErrors } from '@dropleaf/contract'
import type { StorageKey } from '@dropleaf/storage'
import type { Needs, StorageNeeds } from '../../../../context.ts'
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

/** In the transaction that deletes a share: schedules the deletion of its object, if it owns one. */
export async function planRemoval(
  trx: Db,
  share: Pick<FileRow, 'storage_config_id' | 'storage_key' | 'owns_object'>,
  nowMs: number,
): Promise<void> {
  if (share.owns_object === 1) await removalsRepository(trx).add(share, nowMs)
}

/** Schedules a retry. */
async function postpone(
  ctx: Needs<'clock' | 'db' | 'log'>,
  removal: ObjectRemovalsTable,
  error: unknown,
): Promise<void> {
  const { id, storage_key: key, attempts } = removal
  ctx.log.warn({ err: error, key }, 'an object could not be removed; it is tried again')
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** attempts, MAX_DELAY_MS)
  await removalsRepository(ctx.db).postpone(id, attempts + 1, ctx.clock.nowMs() + delayMs)
}

/** @returns the errors of failed deletions, by id. */
async function tryRemovals(
  ctx: Needs<'db' | 'storage'>,
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
        // An invalid key must not block the others.
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

/** Deletes due objects of one storage. */
async function removeDue(
  ctx: Needs<'clock' | 'db' | 'log' | 'storage'>,
  configId: string,
  signal?: AbortSignal,
): Promise<true> {
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

/** Storages processed at once. An unresponsive one does not block later ones. */
const STORAGES_AT_ONCE = 2

/**
 * Processes the outbox, unless another process is doing so. A failing storage is retried later; in a storage that is held after
 * a restore, deletions wait.
 * @param only this storage
 */
export async function carryOutRemovals(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'storage'>,
  signal?: AbortSignal,
  only?: string,
): Promise<void> {
  const repository = removalsRepository(ctx.db)
  const dueConfigs = () => repository.dueConfigs(ctx.clock.nowMs())
  const held = await heldStorages(ctx)
  const configIds = (await dueConfigs()).filter((id) => !held.has(id) && (only ?? id) === id)
  await eachOf(configIds, STORAGES_AT_ONCE, async (configId) => {
    const turn = () => ctx.database.exclusively(`${LOCK}:${configId}`, () => removeDue(ctx, configId, signal))
    // A caller that schedules one meanwhile finds the lock held and relies on this run, which therefore checks again.
    const isLeft = async () => signal?.aborted !== true && (await dueConfigs()).includes(configId)
    while ((await turn()) && (await isLeft()));
  })
}

/** Processes the outbox in the background. Never fails. */
export function carryOutRemovalsSoon(ctx: StorageNeeds & Needs<'database' | 'log'>): void {
  ctx.jobs.background('files.remove-objects', () => carryOutRemovals(ctx))
}

const WAIT_TRIES = 50
const WAIT_MS = 100

/**
 * Waits until no deletion is scheduled for a key that is about to be written. In a storage that is held after a restore, the
 * deletion is cancelled.
 * @throws {AppError} `request.unavailable` if it could not be done in time: it would delete the new object.
 */
export async function settleRemovalOf(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'storage'>,
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
