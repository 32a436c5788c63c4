import type { Needs } from '../../../../context.ts'
import type { Job } from '../../../../jobs/scheduler.ts'
import { sweepSessions } from './abandoned-sessions.usecases.ts'
import { releaseDeadHolds } from '../leases/key-leases.usecases.ts'
import { sweepSpool } from './spool.usecases.ts'

/** Deletes abandoned uploads, rows of ended uploads, expired leases, and old temporary files. */
export const sweepUploadsJob = (
  ctx: Needs<'clock' | 'config' | 'db' | 'log' | 'state' | 'storage'>,
): Job => ({
  name: 'fs.sweep-uploads',
  everyMinutes: ctx.config.sweepMinutes,
  async run(signal) {
    await releaseDeadHolds(ctx)
    await sweepSessions(ctx, signal)
    await sweepSpool(ctx)
  },
})
