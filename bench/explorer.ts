import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { startServer } from '../apps/server/src/testing/server-process.ts'
import { quantile } from './lib/measure.ts'

/**
 * The explorer in Chromium (`CHROMIUM_PATH`) with a folder of `FILES` (50,000) on the local disk, opened by a click from its
 * parent, as a list and as tiles: when its first rows are there, what is in the document, and the frames and long tasks while
 * it is scrolled. Needs the built web app.
 */

const FILES = Number(process.env.FILES ?? 50_000)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const FRAMES = 300
const STEP_PX = 400
const PASSWORD = 'only for the benchmark'
const FOLDER = 'many'

interface Scrolling {
  readonly frames: readonly number[]
  readonly longTasks: readonly number[]
}

/** Scrolls the page down, a step each frame. */
const scroll = (page: Page): Promise<Scrolling> =>
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
      // What happened in the last frame is told after it.
      await new Promise((resolve) => setTimeout(resolve, 200))
      observer.disconnect()
      return { frames, longTasks }
    },
    { frames: FRAMES, step: STEP_PX },
  )

async function measure(page: Page, origin: string, view: 'list' | 'grid'): Promise<string> {
  await page.evaluate((chosen) => localStorage.setItem('explorer', JSON.stringify({ view: chosen })), view)
  await page.goto(`${origin}/mount-explorer/local`)
  const link = page.getByRole('link', { name: FOLDER })
  await link.waitFor()
  const startedAt = Date.now()
  await link.click()
  await page.getByText('file-00000.txt').first().waitFor()
  const firstMs = Date.now() - startedAt
  await page.locator(`[role=grid][aria-rowcount="${FILES}"]`).waitFor()
  const { frames, longTasks } = await scroll(page)
  const drawn = await page.locator('[data-index], [role=row]').count()
  const sorted = [...frames].sort((a, b) => a - b)
  const figures = [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(1)).join(' / ')
  return `| ${view} | ${firstMs} | ${figures} | ${longTasks.join(', ') || 'none'} | ${drawn} |`
}

const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-bench-'))
await mkdir(join(dataDir, 'storage/local', FOLDER), { recursive: true })
for (let number = 0; number < FILES; number += 1) {
  const name = `file-${String(number).padStart(5, '0')}.txt`
  await writeFile(join(dataDir, 'storage/local', FOLDER, name), '')
}
const server = await startServer({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '18970',
  ADMIN_PASSWORD: PASSWORD,
})
const origin = server.api.replace(/\/api$/, '')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const login = await fetch(`${server.api}/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  await page.goto(`${origin}/api/health`)
  await page.evaluate((token) => localStorage.setItem('admin_token', token), data.token)
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  console.log(
    '| view | first rows, ms | frame p50 / p95 / max, ms | long tasks while scrolling, ms | entries drawn |\n| --- | --: | --: | --- | --: |',
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const view of ['list', 'grid'] as const) console.log(await measure(page, origin, view))
  }
} finally {
  await browser.close()
  server.process.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
}
