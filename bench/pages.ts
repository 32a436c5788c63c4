import type { BrowserContext } from '@playwright/test'
import { launchProfile, requirePages } from './lib/browser.ts'
import { createTable } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'

/**
 * Opens the home page in Chromium (`CHROMIUM_PATH`) at 1280 × 800, in an empty profile and in a profile that has
 * visited the page before. Measures transferred bytes, the first paint, and the time at which a character can
 * be typed. Runs `ROUNDS` (5). Needs the built web app; `BASE_URL` selects a running server. `markdown.ts` and
 * `explorer.ts` cover long texts and large folders.
 */

const ROUNDS = wholeNumber('ROUNDS', 5)
const FIELD = 'textarea, .cm-content'

interface Seen {
  readonly earlyKb: number
  readonly kb: number
  readonly scriptKb: number
  readonly requests: number
  readonly paintMs: number
  readonly typeableMs: number
  readonly longTasksMs: number
  readonly shift: number
}

async function visit(context: BrowserContext, url: string): Promise<Seen> {
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  const types = new Map<string, string>()
  let bytes = 0
  let scriptBytes = 0
  network.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    if (types.get(requestId) === 'Script') scriptBytes += encodedDataLength
  })
  await page.addInitScript((selector) => {
    const seen = { tasks: 0, shift: 0, typeable: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.tasks += duration
    }).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    const look = () => {
      const field = document.querySelector<HTMLElement>(selector)
      field?.focus()
      if (field && document.activeElement === field && document.execCommand('insertText', false, 'x'))
        seen.typeable = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, FIELD)
  await page.goto(url)
  await page.waitForFunction(() => (window as unknown as { seen: { typeable: number } }).seen.typeable > 0)
  const earlyBytes = bytes
  // Waits for the tools of the editor, which load after the editor.
  await page.waitForLoadState('networkidle')
  const found = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { tasks: number; shift: number; typeable: number } }
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
    return { ...seen, paint }
  })
  await page.close()
  return {
    earlyKb: earlyBytes / 1000,
    kb: bytes / 1000,
    scriptKb: scriptBytes / 1000,
    requests: types.size,
    paintMs: found.paint,
    typeableMs: found.typeable,
    longTasksMs: found.tasks,
    shift: found.shift,
  }
}

await using product = await openProduct()
await requirePages(product)
const table = createTable({
  earlyKb: 'until one can type, kB',
  kb: 'in all, kB',
  scriptKb: 'of it scripts, kB',
  requests: 'requests',
  paintMs: 'first paint, ms',
  typeableMs: 'one can type, ms',
  longTasksMs: 'tasks above 50 ms, ms',
  shift: 'layout shift',
})
for (let round = 0; round < ROUNDS; round += 1) {
  using profile = ownFolder()
  const context = await launchProfile(profile.path, {
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
  })
  try {
    table.add('home, cold', await visit(context, product.url))
    const page = await context.newPage()
    await page.goto(product.url)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 })
    // Waits for offline data, which loads after the page.
    await page.waitForLoadState('networkidle')
    await page.close()
    table.add('home, warm', await visit(context, product.url))
  } finally {
    await context.close()
  }
}
table.print(`home page, ${ROUNDS} rounds`)
