import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { authRepository } from './auth.repository.ts'

/** Deletes expired sessions and expired rate-limit counters. */
export const sweepSessionsJob = (ctx: Needs<'clock' | 'config' | 'db' | 'throttles'>): Job => ({
  name: 'auth.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run() {
    await authRepository(ctx.db).deleteExpiredSessions(ctx.clock.nowMs())
    await ctx.throttles.sweep()
  },
})
