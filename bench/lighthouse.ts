import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../packages/storage/src/testing/free-port.ts'
import { launchProfile, requirePages } from './lib/browser.ts'
import { median } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { choice, decimal, wholeNumber, word } from './lib/settings.ts'
import { ownFolder, run } from './lib/undo.ts'

/**
 * Runs Google's Lighthouse on the home page, a text, a file, the explorer and the admin panel, `ROUNDS` (3) times each.
 * `LIGHTHOUSE` sets the version of its npm package. Emulates a slow phone, or a desktop with `PRESET=desktop`. Prints
 * median scores, and the scored audits of the last round without a full score. By default Lighthouse slows the CPU down
 * by a factor of 4, which suits machines with a benchmark index of 1,500 to 2,000. The program prints the measured
 * index. On a slower machine, set another factor with `SLOWDOWN`. Needs the built web app, Chromium (`CHROMIUM_PATH`)
 * and the npm registry; `BASE_URL` selects a running server.
 */

const ROUNDS = wholeNumber('ROUNDS', 3)
const LIGHTHOUSE = word('LIGHTHOUSE', '13.5.0', { pattern: /^[\w.-]+$/, needed: 'a version of npm' })
const PRESET = choice('PRESET', ['desktop', 'perf', 'experimental'], null)
/** Factor by which Lighthouse slows the CPU down. 0 means Lighthouse's default. */
const SLOWDOWN = decimal('SLOWDOWN', 0, { least: 1 })
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const

interface Report {
  readonly environment: { readonly benchmarkIndex: number }
  readonly categories: Record<
    string,
    {
      readonly score: number
      readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
    }
  >
  readonly audits: Record<
    string,
    { readonly score: number | null; readonly title: string; readonly displayValue?: string }
  >
}

const text = `# Notes of a meeting\n\n${'A paragraph with **strong** words, `code` and a [link](https://example.org).\n\n'.repeat(20)}`

await using product = await openProduct()
await requirePages(product)

async function makePages(): Promise<ReadonlyMap<string, string>> {
  const { url } = product
  const { headers } = await product.createKey()
  const folder = await product.makeFolder()
  const slug = `bench-${randomUUID()}`
  const made = await fetch(`${url}?slug=${slug}`, { method: 'POST', headers, body: text })
  if (!made.ok) throw new Error(`The text was not shared: ${await made.text()}`)
  const shared = await fetch(`${url}report.txt?slug=${slug}`, { method: 'PUT', headers, body: text })
  if (!shared.ok) throw new Error(`The file was not shared: ${await shared.text()}`)
  for (let at = 0; at < 50; at += 1) {
    const path = encodeURIComponent(`${folder}/file ${at}.txt`)
    const put = await fetch(`${url}api/fs/upload?path=${path}`, { method: 'PUT', headers, body: `${at}` })
    if (!put.ok) throw new Error(`The upload failed: ${await put.text()}`)
  }
  return new Map([
    ['home', url],
    ['text', `${url}paste/${slug}`],
    ['file', `${url}file/${slug}`],
    ['explorer', `${url}mount-explorer${folder}`],
    ['admin panel', `${url}admin`],
  ])
}

/** Runs Lighthouse once, in a new browser that is logged in. */
async function visit(url: string): Promise<Report> {
  using folder = ownFolder()
  const port = await freePort()
  const context = await launchProfile(join(folder.path, 'profile'), {
    args: [`--remote-debugging-port=${port}`],
  })
  try {
    const page = await context.newPage()
    await page.goto(`${product.url}api/health`)
    await page.evaluate((token) => localStorage.setItem('admin_token', token), product.token)
    await page.close()
    const output = join(folder.path, 'report.json')
    const preset = PRESET === null ? [] : [`--preset=${PRESET}`]
    const slowdown = SLOWDOWN === 0 ? [] : [`--throttling.cpuSlowdownMultiplier=${SLOWDOWN}`]
    const args = ['--yes', `lighthouse@${LIGHTHOUSE}`, url, `--port=${port}`, '--disable-storage-reset']
    await run('npx', [
      ...args,
      ...preset,
      ...slowdown,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${CATEGORIES.join(',')}`,
    ])
    return JSON.parse(await readFile(output, 'utf8')) as Report
  } finally {
    await context.close()
  }
}

const percent = (score: number | null | undefined) => Math.round((score ?? 0) * 100)

for (const [name, url] of await makePages()) {
  const reports: Report[] = []
  for (let round = 0; round < ROUNDS; round += 1) reports.push(await visit(url))
  const scores = CATEGORIES.map((category) => {
    const each = reports.map(({ categories }) => percent(categories[category]?.score))
    return `${category} ${median(each)} (${each.join(', ')})`
  })
  const index = median(reports.map(({ environment }) => environment.benchmarkIndex))
  console.log(`${name}: ${scores.join('; ')}; index of the processor ${Math.round(index)}`)
  const { categories, audits } = reports.at(-1) as Report
  const weighted = new Set(
    Object.values(categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  )
  for (const id of weighted) {
    const { score, title, displayValue = '' } = audits[id] ?? { score: null, title: id }
    if (score !== null && score < 1) console.log(`  ${percent(score)} ${title} ${displayValue}`)
  }
}
