import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { auditRepository } from './audit.repository.ts'

const BATCH_ROWS = 2000
const DAY_MS = 24 * 3600 * 1000

/** Deletes audit entries that are older than the retention period. */
export const sweepAuditJob = (ctx: Needs<'clock' | 'config' | 'db'>): Job => ({
  name: 'audit.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run(signal) {
    const oldestMs = ctx.clock.nowMs() - ctx.config.auditDays * DAY_MS
    let removed: number
    do removed = await auditRepository(ctx.db).deleteBefore(oldestMs, BATCH_ROWS)
    while (removed === BATCH_ROWS && !signal.aborted)
  },
})
