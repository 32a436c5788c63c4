import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepUnfinishedUploads } from './unfinished-uploads.usecases.ts'

/** Deletes incomplete uploads of dead processes from buckets. */
export const sweepUnfinishedUploadsJob = (
  ctx: Needs<'clock' | 'config' | 'db' | 'log' | 'storage' | 'unfinished'>,
): Job => ({
  name: 'reconciliation.sweep-unfinished',
  everyMinutes: ctx.config.sweepMinutes,
  run: (signal) => sweepUnfinishedUploads(ctx, signal),
})
