import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepLocks } from './locks.usecases.ts'

export const sweepLocksJob = (ctx: Needs<'clock' | 'config' | 'db'>): Job => ({
  name: 'webdav.sweep-locks',
  everyMinutes: ctx.config.sweepMinutes,
  run: () => sweepLocks(ctx),
})
