import { launchBrowser, requirePages } from '../lib/browser.ts'
import { type Bundle, createBundle, publish, putObject } from '../lib/bundles.ts'
import { createTable, inParallel } from '../lib/measure.ts'
import { openProduct, type Product } from '../lib/product.ts'
import { wholeNumber } from '../lib/settings.ts'

/**
 * Opens a bundle with a text and `FILES` (1000) uploaded files, and a text share with the same text, in `ROUNDS` (5).
 * Uses Chromium (`CHROMIUM_PATH`) at 1.6 Mbit/s and 150 ms, with an empty cache. Measures the time from the end of
 * the HTML to the text, to the first rows, and to the app. Needs the built web app; `BASE_URL` selects a running
 * server.
 */

const ROUNDS = wholeNumber('ROUNDS', 5)
const FILES = wholeNumber('FILES', 1000)
const AT_ONCE = 8
const MARK = 'The first paragraph.'
const TEXT = `# Trip\n\n${MARK}\n\n${'More words, and **some** of them are strong.\n\n'.repeat(40)}`

async function makeFiles(product: Product): Promise<Bundle> {
  const bundle = await createBundle(product)
  const nameOf = (n: number) => `photo-${String(n).padStart(4, '0')}.jpg`
  await inParallel(FILES, AT_ONCE, (n) =>
    putObject(product, bundle, { n, filename: nameOf(n), bytes: Buffer.from(`file ${n}`) }),
  )
  const items = Array.from({ length: FILES }, (_, n) => ({ path: nameOf(n), source: { object: n } }))
  await publish(product, bundle, { title: 'Trip', page: { text: TEXT }, items })
  product.undo(() => product.call('POST', 'api/bundles/delete', { ids: [bundle.id] }))
  return bundle
}

interface Seen {
  readonly text: number
  readonly rows: number
  readonly app: number
}

declare global {
  // The script that runs in the page sets these values.
  var seen: { text: number; rows: number; app: number }
}

/** Opens a page with an empty cache on a slow connection. @returns milliseconds after the end of the HTML */
async function visitSlowly(url: string, hasRows: boolean): Promise<Seen> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 412, height: 823 }, locale: 'en-US' })
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1.6e6 / 8,
      uploadThroughput: 1.6e6 / 8,
    })
    await page.addInitScript((mark) => {
      globalThis.seen = { text: 0, rows: 0, app: 0 }
      const look = () => {
        const now = performance.now()
        if (!seen.text && document.body?.textContent.includes(mark)) seen.text = now
        if (!seen.rows && document.querySelector('.dl-bundle-row, [role=row][aria-rowindex="2"]'))
          seen.rows = now
        if (seen.text && !document.querySelector('#early')) seen.app = now
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, MARK)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => globalThis.seen?.app > 0, null, { timeout: 120_000 })
    const { text, rows, app, html } = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      return { ...globalThis.seen, html: navigation?.responseEnd ?? 0 }
    })
    if (hasRows && rows === 0) throw new Error(`${url}: no rows were seen.`)
    return { text: text - html, rows: rows - html, app: app - html }
  } finally {
    await browser.close()
  }
}

async function measureFiles(product: Product): Promise<void> {
  const bundle = await makeFiles(product)
  const { slug } = await product.call<{ slug: string }>('POST', 'api/paste', {
    content: TEXT,
    slug: `${product.textPrefix()}text`,
    content_type: 'text/markdown',
  })
  const table = createTable({ text: 'text, ms', rows: 'rows, ms', app: 'app, ms' })
  for (let round = 0; round < ROUNDS; round += 1) {
    const seen = await visitSlowly(`${product.url}s/${bundle.slug}`, true)
    console.log(`  ${JSON.stringify(seen)}`)
    table.add('bundle', { ...seen })
    const { text, app } = await visitSlowly(`${product.url}paste/${slug}`, false)
    table.add('text share', { text, app })
  }
  table.print(
    `after the HTML at 1.6 Mbit/s and 150 ms, a bundle of a text and ${FILES} files, ${ROUNDS} rounds`,
  )
}

await using product = await openProduct()
await requirePages(product)
await measureFiles(product)
