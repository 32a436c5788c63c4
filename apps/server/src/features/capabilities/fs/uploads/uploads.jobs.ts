import type { AppContext } from '../../../../context.ts'
import type { Job } from '../../../../jobs/scheduler.ts'
import { sweepSessions } from './abandoned-sessions.usecases.ts'
import { releaseDeadHolds } from '../leases/key-leases.usecases.ts'
import { sweepSpool } from './spool.usecases.ts'

/** Drops the bytes of uploads into mounts that nobody went on with, and forgets those that ended, holds of the dead, and files that they spooled. */
export const sweepUploadsJob = (ctx: AppContext): Job => ({
  name: 'fs.sweep-uploads',
  everyMinutes: ctx.config.sweepMinutes,
  async run(signal) {
    await releaseDeadHolds(ctx)
    await sweepSessions(ctx, signal)
    await sweepSpool(ctx)
  },
})
