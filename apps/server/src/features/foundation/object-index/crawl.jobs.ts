import type { AppContext } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { crawlDue } from './crawl.usecases.ts'

/** How soon a newly mounted storage is found. */
const LOOK_EVERY_MINUTES = 1

export const crawlJob = (ctx: AppContext): Job => ({
  name: 'search.crawl',
  everyMinutes: LOOK_EVERY_MINUTES,
  run: (signal) => crawlDue(ctx, signal),
})
