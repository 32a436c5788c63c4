import type { AppContext } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepUnfinishedUploads } from './unfinished-uploads.usecases.ts'

/** Deletes incomplete uploads of dead processes from buckets. */
export const sweepUnfinishedUploadsJob = (ctx: AppContext): Job => ({
  name: 'reconciliation.sweep-unfinished',
  everyMinutes: ctx.config.sweepMinutes,
  run: (signal) => sweepUnfinishedUploads(ctx, signal),
})
