import { LOCAL_DISK_PROVIDER, TOMBSTONE_SECONDS } from '@dropleaf/contract'
import type { AppContext } from '../../../context.ts'
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
/** A broken-off write to the disk is left alone this long: a live one writes on. */
const TEMPORARY_MS = 10 * 60_000
const ABANDONED_PARTS_MS = 24 * 3_600_000

async function purgeOver(ctx: AppContext, signal: AbortSignal): Promise<void> {
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

async function forgetTombstones(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const beforeMs = ctx.clock.nowMs() - TOMBSTONE_SECONDS * 1000
  let forgotten = BATCH_ROWS
  while (forgotten === BATCH_ROWS && !signal.aborted)
    forgotten = await endedFilesRepository(ctx.db).deleteTombstones(beforeMs, BATCH_ROWS)
}

/**
 * Removes leftovers of interrupted writes on local disks. A missing disk is swept when it is back: neither the others
 * nor the start wait for it.
 */
export async function sweepTemporaryFiles(ctx: AppContext, olderThanMs: number): Promise<void> {
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
 * What the end of the process before may have left, when no other process can be writing: SQLite belongs to one process,
 * so an upload that was streaming through us is dead now.
 */
export async function recoverFiles(ctx: AppContext): Promise<void> {
  if (ctx.database.engine !== 'sqlite') return
  await filesRepository(ctx.db).abandonStreamed(ctx.clock.nowMs())
  await filesRepository(ctx.db).endAllReceiving()
  await releaseAllReservations(ctx)
  await ctx.unfinished.expireAll()
  await sweepTemporaryFiles(ctx, 0)
}

/** Abandoned uploads, shares that are over, their bytes, and what broken-off writes left. */
export const sweepFilesJob = (ctx: AppContext): Job => ({
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
