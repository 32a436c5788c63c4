import type { Page } from '@playwright/test'
import { quantile } from './measure.ts'

const FRAMES = 300
const STEP_PX = 400

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

/** Scrolls a long page. @returns frame times and long tasks as the cells of a table */
export async function scroll(page: Page): Promise<string> {
  const { frames, longTasks } = await watchScrolling(page)
  const sorted = [...frames].sort((a, b) => a - b)
  const figures = [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(1)).join(' / ')
  return `${figures} | ${longTasks.join(', ') || 'none'}`
}
