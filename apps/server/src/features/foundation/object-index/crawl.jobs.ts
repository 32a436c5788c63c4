import type { Needs } from '../../../context.ts'
import type { Job } from '../../../jobs/scheduler.ts'
import { crawlDue } from './crawl.usecases.ts'

/** Interval of the check for storages whose crawl is due, such as newly mounted storages. */
const LOOK_EVERY_MINUTES = 1

export const crawlJob = (
  ctx: Needs<'caches' | 'clock' | 'database' | 'db' | 'log' | 'notices' | 'secrets' | 'storage'>,
): Job => ({
  name: 'search.crawl',
  everyMinutes: LOOK_EVERY_MINUTES,
  run: (signal) => crawlDue(ctx, signal),
})
