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

/** Schedules the deletion of a share's object if the share owns it. Call in the transaction that deletes the share. */
export async function planRemoval(
  trx: Db,
  share: Pick<FileRow, 'storage_config_id' | 'storage_key' | 'owns_object'>,
  nowMs: number,
): Promise<void> {
  if (share.owns_object === 1) await removalsRepository(trx).add(share, nowMs)
}

/** Schedules the deletion of many objects, as {@link planRemoval}. */
export async function planRemovals(
  trx: Db,
  objects: ReadonlyArray<Pick<FileRow, 'storage_config_id' | 'storage_key' | 'owns_object'>>,
  nowMs: number,
): Promise<void> {
  const owned = objects.filter(({ owns_object }) => owns_object === 1)
  for (let from = 0; from < owned.length; from += BATCH)
    await removalsRepository(trx).addAll(owned.slice(from, from + BATCH), nowMs)
}

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

/** Deletes objects of one storage. @returns the errors of failed deletions, by id */
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
        // Records the error, because an invalid key must not prevent the deletion of the other objects.
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

/** Number of storages processed concurrently, so that an unresponsive storage does not block the other storages. */
const STORAGES_AT_ONCE = 2

/**
 * Processes the outbox, storage by storage. Skips a storage whose outbox another call processes. Deletions in a failing
 * storage are retried later. Skips storages that are held after a restore.
 * @param only the id of the only storage to process
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
    // A caller that schedules a deletion during the run finds the lock taken, so the run has to check again.
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
 * Waits until no deletion is scheduled for a key that is about to be written, because the scheduled deletion would
 * delete the new object. Cancels the deletion if the storage is held after a restore.
 * @throws {AppError} `request.unavailable` if the deletion is not finished in time
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
