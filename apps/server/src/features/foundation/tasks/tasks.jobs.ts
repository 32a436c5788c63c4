import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'

const KEPT_MS = 7 * 24 * 3_600_000

/** Deletes old tasks that have ended, and expired tickets and grants of all kinds. */
export const sweepTasksJob = (ctx: Needs<'clock' | 'config' | 'tasks' | 'tickets'>): Job => ({
  name: 'tasks.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run() {
    await ctx.tasks.clear({ beforeMs: ctx.clock.nowMs() - KEPT_MS })
    await ctx.tickets.sweep()
  },
})
