import type { AppContext } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepUnfinishedUploads } from './unfinished-uploads.usecases.ts'

/** Removes from buckets what a process that died was uploading. */
export const sweepUnfinishedUploadsJob = (ctx: AppContext): Job => ({
  name: 'reconciliation.sweep-unfinished',
  everyMinutes: ctx.config.sweepMinutes,
  run: (signal) => sweepUnfinishedUploads(ctx, signal),
})
