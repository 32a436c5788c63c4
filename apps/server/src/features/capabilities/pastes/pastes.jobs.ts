import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepPastes } from './pastes.usecases.ts'

export const sweepPastesJob = (ctx: Needs<'clock' | 'config' | 'db'>): Job => ({
  name: 'pastes.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  run: (signal) => sweepPastes(ctx, signal),
})
