import type { AppContext } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { authRepository } from './auth.repository.ts'

/** Forgets sessions that ran out and throttle windows that are over. */
export const sweepSessionsJob = (ctx: AppContext): Job => ({
  name: 'auth.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run() {
    await authRepository(ctx.db).deleteExpiredSessions(ctx.clock.nowMs())
    await ctx.throttles.sweep()
  },
})
