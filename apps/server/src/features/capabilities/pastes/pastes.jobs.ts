import type { AppContext } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepPastes } from './pastes.usecases.ts'

/** Empties texts that are over and forgets old tombstones. */
export const sweepPastesJob = (ctx: AppContext): Job => ({
  name: 'pastes.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  run: (signal) => sweepPastes(ctx, signal),
})
