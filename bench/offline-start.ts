import { loadavg } from 'node:os'
import type { BrowserContext } from '@playwright/test'
import { launchProfile, requirePages } from './lib/browser.ts'
import { quantile, send } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'

/**
 * Measures cold starts without a network. Starts a new Chromium process (`CHROMIUM_PATH`) with a profile that has
 * opened the app once. Opens the home page and a text that was read before, `STARTS` (10) times. Measures the time
 * from the start of the navigation to the first contentful paint, and to the editor or the text. Needs the built web
 * app; `BASE_URL` selects a running server.
 */

const STARTS = wholeNumber('STARTS', 10)
const TEXT = 'read before'

await using product = await openProduct()
await requirePages(product)
const { path: profile } = ownFolder()

const startBrowser = (offline: boolean): Promise<BrowserContext> =>
  launchProfile(profile, {
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    offline,
  })

async function makeText(): Promise<string> {
  const { headers } = await product.createKey()
  const target = { name: 'Dropleaf', url: product.url, headers }
  const body = Buffer.from(JSON.stringify({ content: `# Text\n\n${TEXT}` }))
  const sent = { body, headers: { 'content-type': 'application/json', 'content-length': body.length } }
  return (JSON.parse((await send(target, 'POST', 'api/paste', sent)).toString()) as { slug: string }).slug
}

/** Opens the app and the text once while online. */
async function prepare(slug: string): Promise<void> {
  const context = await startBrowser(false)
  const page = await context.newPage()
  await page.goto(product.url)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 })
  await page.goto(`${product.url}paste/${slug}`)
  await page.getByText(TEXT).waitFor()
  // Waits, because the browser stores offline data with a delay.
  await page.waitForTimeout(5000)
  await context.close()
}

/** Returns milliseconds from the start of the navigation to the first contentful paint and to the awaited element. */
async function measure(path: string, seen: string): Promise<readonly [paint: number, seen: number]> {
  const context = await startBrowser(true)
  const page = await context.newPage()
  await page.addInitScript((selector) => {
    const look = () => {
      const text = document.querySelector(selector)?.textContent
      if (text === undefined) requestAnimationFrame(look)
      else performance.mark('seen')
    }
    requestAnimationFrame(look)
  }, seen)
  await page.goto(`${product.url}${path}`)
  const times = await page.waitForFunction(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    const mark = performance.getEntriesByName('seen')[0]?.startTime
    return paint !== undefined && mark !== undefined ? ([paint, mark] as const) : null
  })
  const found = await times.jsonValue()
  await context.close()
  if (found === null) throw new Error('The page showed nothing.')
  return found
}

const figuresOf = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 1].map((share) => quantile(sorted, share).toFixed(0)).join(' / ')
}

const slug = await makeText()
await prepare(slug)
const load = loadavg().map((one) => one.toFixed(1))
console.log(`load average ${load.join(' ')}`)
console.log('| page | starts | first paint p50 / max, ms | seen p50 / max, ms |\n| --- | --: | --- | --- |')
const pages = [
  ['home: one can type', '', 'textarea, .cm-content'],
  ['a text', `paste/${slug}`, '.dl-prose p'],
] as const
for (const [name, path, seen] of pages) {
  const times: (readonly [number, number])[] = []
  for (let start = 0; start < STARTS; start += 1) times.push(await measure(path, seen))
  const [paint, shown] = [0, 1].map((index) => figuresOf(times.map((one) => one[index] ?? 0)))
  console.log(`| ${name} | ${STARTS} | ${paint} | ${shown} |`)
}
