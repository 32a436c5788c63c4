import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { sweepParts } from './url-uploads.usecases.ts'

export const sweepUrlUploadsJob = (ctx: Needs<'config' | 'db' | 'log' | 'storage'>): Job => ({
  name: 'url-import.sweep',
  everyMinutes: ctx.config.sweepMinutes,
  run: () => sweepParts(ctx),
})
