import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { launchBrowser, requirePages } from './lib/browser.ts'
import { inParallel, send } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { scroll } from './lib/scrolling.ts'
import { wholeNumber } from './lib/settings.ts'

/**
 * Benchmarks the explorer in Chromium (`CHROMIUM_PATH`) with a mounted folder of `FILES` (50,000) files, as a list and
 * as tiles. Opens the folder with a click in its parent. Measures the time to the first rows, the number of entries in
 * the document, and frames, long tasks and the longest CPU time of a task while scrolling. Needs the built web app;
 * `BASE_URL` selects a running server.
 */

const FILES = wholeNumber('FILES', 50_000, { least: 1000, most: 100_000 })
const ROUNDS = wholeNumber('ROUNDS', 3)
const AT_ONCE = 8
const FOLDER = 'many'

async function measure(page: Page, parent: string, view: 'list' | 'grid'): Promise<string> {
  await page.evaluate((chosen) => localStorage.setItem('explorer', JSON.stringify({ view: chosen })), view)
  await page.goto(parent)
  const link = page.getByRole('link', { name: FOLDER })
  await link.waitFor()
  const startedAt = Date.now()
  await link.click()
  await page.getByText('file-00000.txt').first().waitFor()
  const firstMs = Date.now() - startedAt
  await page.locator(`[role=grid][aria-rowcount="${FILES}"]`).waitFor()
  const figures = await scroll(page)
  const drawn = await page.locator('[data-index], [role=row]').count()
  return `| ${view} | ${firstMs} | ${figures} | ${drawn} |`
}

await using product = await openProduct()
await requirePages(product)
const { headers } = await product.createKey()
const parent = await product.makeFolder()
await product.call('POST', 'api/fs/mkdir', { path: `${parent}/${FOLDER}` })
const drive = { name: 'Dropleaf', url: `${product.url}dav${parent}/${FOLDER}/`, headers }
await inParallel(FILES, AT_ONCE, (number) =>
  send(drive, 'PUT', `file-${String(number).padStart(5, '0')}.txt`),
)
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
  await page.goto(`${product.url}api/health`)
  await page.evaluate((token) => localStorage.setItem('admin_token', token), product.token)
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  console.log(
    '| view | first rows, ms | frame p50 / p95 / max, ms | long tasks while scrolling, ms | longest CPU, ms | entries drawn |\n| --- | --: | --: | --- | --: | --: |',
  )
  for (let round = 0; round < ROUNDS; round += 1)
    for (const view of ['list', 'grid'] as const)
      console.log(await measure(page, `${product.url}mount-explorer${parent}`, view))
} finally {
  await browser.close()
}
