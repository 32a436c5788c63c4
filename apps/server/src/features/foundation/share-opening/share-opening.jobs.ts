import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { shareOpeningRepository } from './share-opening.repository.ts'

/** Deletes devices that are no longer allowed to reopen a share, and the notes of deleted shares. */
export const sweepOpeningsJob = (ctx: Needs<'clock' | 'config' | 'db'>): Job => ({
  name: 'share-opening.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  async run() {
    const repository = shareOpeningRepository(ctx.db)
    await repository.deleteExpiredDevices(ctx.clock.nowMs())
    await repository.deleteOrphanNotes()
  },
})
