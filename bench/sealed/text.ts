import { launchBrowser, requirePages } from '../lib/browser.ts'
import { createTable } from '../lib/measure.ts'
import { openProduct } from '../lib/product.ts'
import { decimal, wholeNumber } from '../lib/settings.ts'
import { makeSealedText } from '../lib/sealed-text.ts'
import { createVerdict } from '../lib/verdict.ts'

/**
 * Opens an encrypted text of `CHARACTERS` (10000) and the same text unencrypted, in `ROUNDS` (5). Uses Chromium at 1.6
 * Mbit/s and 150 ms with an empty cache. Measures the time from the navigation to the text, and the size of the scripts
 * that were loaded before the text. Exits with 1 above `LIMIT` (1500) ms, or if the encrypted text needs more than
 * `MORE` (30) kB of additional scripts.
 */

const ROUNDS = wholeNumber('ROUNDS', 5)
const CHARACTERS = wholeNumber('CHARACTERS', 10_000)
const LIMIT_MS = wholeNumber('LIMIT', 1500)
const MORE_KB = decimal('MORE', 30, { least: 0 })
const MARK = 'The first paragraph.'
const TEXT = `${MARK}\n\n${'More words, and **some** of them are strong. '.repeat(CHARACTERS / 45)}`

async function visitSlowly(url: string) {
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
      const look = () => {
        if (document.body?.textContent.includes(mark))
          Object.assign(globalThis, { textAtMs: performance.now() })
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, MARK)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForFunction(() => 'textAtMs' in globalThis, null, { timeout: 120_000 })
    return await page.evaluate(() => {
      const { textAtMs: text } = globalThis as unknown as { textAtMs: number }
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const before = all.filter(
        ({ name, responseEnd }) => name.endsWith('.js') && responseEnd > 0 && responseEnd <= text,
      )
      return {
        text,
        scripts: before.length,
        kb: before.reduce((sum, one) => sum + one.transferSize, 0) / 1000,
      }
    })
  } finally {
    await browser.close()
  }
}

await using product = await openProduct()
await requirePages(product)
const sealed = await makeSealedText(product, TEXT)
const open: { slug: string; id: string } = await product.call('POST', 'api/bundles', {})
await product.call('POST', `api/bundles/${open.id}/revisions`, {
  manifest: { page: { text: TEXT }, items: [] },
  expected_revision: 0,
})
product.undo(() => product.call('POST', 'api/bundles/delete', { ids: [open.id] }))
const verdict = createVerdict()
const table = createTable({ text: 'text, ms', scripts: 'scripts', kb: 'kB of scripts' })
const kb = { open: 0, sealed: 0 }
const times: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  const plain = await visitSlowly(`${product.url}s/${open.slug}`)
  table.add('open', plain)
  const seen = await visitSlowly(sealed)
  table.add('encrypted', seen)
  times.push(seen.text)
  Object.assign(kb, { open: plain.kb, sealed: seen.kb })
}
const median = times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0
verdict.require(median < LIMIT_MS, `the text is there after ${median.toFixed(0)} ms, limit ${LIMIT_MS}`)
verdict.require(
  kb.sealed - kb.open <= MORE_KB,
  `${(kb.sealed - kb.open).toFixed(0)} kB more of scripts than in the open, limit ${MORE_KB}`,
)
table.print(`${CHARACTERS} characters at 1.6 Mbit/s and 150 ms, ${ROUNDS} rounds`)
verdict.end()
