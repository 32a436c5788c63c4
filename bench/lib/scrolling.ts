import type { Page } from '@playwright/test'
import { quantile } from './measure.ts'

const FRAMES = 1000
/** Faster than a mouse wheel with one notch in each frame. */
const STEP_PX = 120

interface Scrolling {
  readonly frames: readonly number[]
  readonly longTasks: readonly number[]
}

/** Scrolls the page down, one step per frame. */
const watchScrolling = (page: Page): Promise<Scrolling> =>
  page.evaluate(
    async ({ frames: count, step }) => {
      const longTasks: number[] = []
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration))
      })
      observer.observe({ entryTypes: ['longtask'] })
      const frames: number[] = []
      let before = performance.now()
      for (let index = 0; index < count; index += 1) {
        window.scrollBy(0, step)
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const now = performance.now()
        frames.push(now - before)
        before = now
      }
      // Waits for the performance entries of the last frame, which arrive after that frame.
      await new Promise((resolve) => setTimeout(resolve, 200))
      observer.disconnect()
      return { frames, longTasks }
    },
    { frames: FRAMES, step: STEP_PX },
  )

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** CPU time in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Returns the longest CPU time of a task of the main thread, in milliseconds. */
function longestCpuMs(trace: Buffer): number {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain'
  const main = new Set(events.filter(isMain).map(threadOf))
  const tasks = events.filter((event) => event.name.endsWith('::RunTask') && main.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('The trace contains no task of the main thread.')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

/**
 * Scrolls a long page.
 * @returns frame times, long tasks, and the longest CPU time of a task, as the cells of a table. With few cores, other
 *   threads of the browser interrupt the main thread, so a task can take much longer than its CPU time.
 */
export async function scroll(page: Page): Promise<string> {
  const browser = page.context().browser()
  if (!browser) throw new Error('There is no browser.')
  await browser.startTracing(page, { categories: ['toplevel'] })
  const { frames, longTasks } = await watchScrolling(page)
  const cpuMs = longestCpuMs(await browser.stopTracing())
  const sorted = [...frames].sort((a, b) => a - b)
  const figures = [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(1)).join(' / ')
  return `${figures} | ${longTasks.join(', ') || 'none'} | ${cpuMs.toFixed(1)}`
}
