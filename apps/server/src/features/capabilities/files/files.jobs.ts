import { LOCAL_DISK_PROVIDER, TOMBSTONE_SECONDS } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { allConfigs, driverOf } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import {
  releaseAllReservations,
  releaseDeadReservations,
} from '../../foundation/storage-usage/storage-usage.usecases.ts'
import { dropAbandonedUploads } from './uploads/abandoned-uploads.usecases.ts'
import { endedFilesRepository } from './ended-files.repository.ts'
import { filesRepository } from './files.repository.ts'
import { carryOutRemovals, planRemoval } from './objects/removals.usecases.ts'
import { TICKET_SECONDS } from './tickets.models.ts'
import { viewGrantsRepository } from './view-grants.repository.ts'

const BATCH_ROWS = 200
/** Temporary files that have not been modified for this long are considered abandoned. */
const TEMPORARY_MS = 10 * 60_000
const ABANDONED_PARTS_MS = 24 * 3_600_000

async function purgeOver(ctx: Needs<'clock' | 'database' | 'db'>, signal: AbortSignal): Promise<void> {
  for (;;) {
    const nowMs = ctx.clock.nowMs()
    const limits = { nowMs, usedUpBeforeMs: nowMs - TICKET_SECONDS * 1000 }
    const due = await endedFilesRepository(ctx.db).findOver(limits, BATCH_ROWS)
    for (const row of due) {
      await ctx.database.transaction(async (trx) => {
        if (await endedFilesRepository(trx).purge(row.id, limits)) await planRemoval(trx, row, nowMs)
      })
    }
    if (due.length < BATCH_ROWS || signal.aborted) return
  }
}

async function forgetTombstones(ctx: Needs<'clock' | 'db'>, signal: AbortSignal): Promise<void> {
  const beforeMs = ctx.clock.nowMs() - TOMBSTONE_SECONDS * 1000
  let forgotten = BATCH_ROWS
  while (forgotten === BATCH_ROWS && !signal.aborted)
    forgotten = await endedFilesRepository(ctx.db).deleteTombstones(beforeMs, BATCH_ROWS)
}

/**
 * Deletes leftovers of interrupted writes on local disks. Skips unavailable disks, which a later run of the sweep
 * processes.
 */
export async function sweepTemporaryFiles(
  ctx: Needs<'db' | 'log' | 'storage'>,
  olderThanMs: number,
): Promise<void> {
  for (const config of await allConfigs(ctx)) {
    if (config.provider_type !== LOCAL_DISK_PROVIDER) continue
    try {
      const driver = await driverOf(ctx, config)
      await driver.sweepTemporary({ olderThanMs, uploadsOlderThanMs: ABANDONED_PARTS_MS })
    } catch (error) {
      ctx.log.warn({ err: error, config: config.id }, 'a storage could not be swept; it is tried again')
    }
  }
}

/**
 * Cleans up after the previous process. Does nothing on a shared database, where other processes may still be writing.
 */
export async function recoverFiles(
  ctx: Needs<'clock' | 'database' | 'db' | 'log' | 'storage' | 'unfinished'>,
): Promise<void> {
  if (ctx.database.isShared) return
  await filesRepository(ctx.db).abandonStreamed(ctx.clock.nowMs())
  await filesRepository(ctx.db).endAllReceiving()
  await releaseAllReservations(ctx)
  await ctx.unfinished.expireAll()
  await sweepTemporaryFiles(ctx, 0)
}

/**
 * Deletes abandoned uploads, the contents of expired and used-up shares, old tombstones, expired view grants,
 * reservations of dead processes, and leftovers of interrupted writes. Also processes the outbox.
 */
export const sweepFilesJob = (
  ctx: Needs<'clock' | 'config' | 'database' | 'db' | 'log' | 'storage'>,
): Job => ({
  name: 'files.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run(signal) {
    await dropAbandonedUploads(ctx, signal)
    await purgeOver(ctx, signal)
    await forgetTombstones(ctx, signal)
    await viewGrantsRepository(ctx.db).deleteExpired(ctx.clock.nowMs())
    await releaseDeadReservations(ctx)
    await carryOutRemovals(ctx, signal)
    await sweepTemporaryFiles(ctx, TEMPORARY_MS)
  },
})
