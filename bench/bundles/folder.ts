import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3 } from '@aws-sdk/client-s3'
import { launchBrowser, requirePages } from '../lib/browser.ts'
import { type Bundle, createBundle, openBundle, publish } from '../lib/bundles.ts'
import { startGateway } from '../lib/gateway.ts'
import { createTable, inParallel, median, send } from '../lib/measure.ts'
import { directS3, mountBucket, openProduct, type Product } from '../lib/product.ts'
import { scroll } from '../lib/scrolling.ts'
import { wholeNumber } from '../lib/settings.ts'

/**
 * Reads a live folder of `OBJECTS` (50,000) objects like the reader of a bundle, in `ROUNDS` (5). Starts a Ceph gateway
 * for the objects. Measures the first page of the list, and the largest files, on a new storage that is not in the
 * index. Then measures the first page from the index. Finally measures in Chromium (`CHROMIUM_PATH`) the first rows,
 * and the frames, long tasks and longest CPU time of a task while scrolling once the app has loaded. Needs the built
 * web app.
 */

const OBJECTS = wholeNumber('OBJECTS', 50_000, { least: 1000, most: 200_000 })
const ROUNDS = wholeNumber('ROUNDS', 5)
const AT_ONCE = 32
/** Number of requests to the index in each round. */
const CALLS = 9
const FOLDER = 'many'

async function fill(s3: S3, bucket: string): Promise<void> {
  await s3.createBucket({ Bucket: bucket })
  await inParallel(OBJECTS, AT_ONCE, (n) =>
    s3.putObject({ Bucket: bucket, Key: `${FOLDER}/file-${String(n).padStart(6, '0')}.txt`, Body: 'x' }),
  )
}

async function shareFolder(product: Product, mountPath: string): Promise<Bundle> {
  const bundle = await createBundle(product)
  const source = { folder: { path: `${mountPath}/${FOLDER}` } }
  await publish(product, bundle, { items: [{ path: FOLDER, source }] })
  return bundle
}

/** @returns milliseconds until the first page has arrived */
async function listMs(
  product: Product,
  { slug }: Bundle,
  { ticket, ...order }: { ticket: string; sort?: string; order?: string },
): Promise<number> {
  const target = { name: 'Dropleaf', url: product.url, headers: {} }
  const query = new URLSearchParams({ ticket, path: FOLDER, limit: '200', ...order }).toString()
  const startedAt = performance.now()
  await send(target, 'GET', `api/bundles/${slug}/list?${query}`)
  return performance.now() - startedAt
}

/**
 * Waits until the index responds. Only then can the server find the largest files without listing the whole folder.
 * @returns milliseconds until the largest files were found without the index
 */
async function untilIndexed(product: Product, bundle: Bundle, ticket: string): Promise<number> {
  const largest = { ticket, sort: 'size', order: 'desc' }
  const walkedMs = await listMs(product, bundle, largest)
  while ((await listMs(product, bundle, largest)) > walkedMs / 10) await sleep(1000)
  return walkedMs
}

async function measureScrolling(url: string): Promise<void> {
  const browser = await launchBrowser()
  try {
    console.log(
      '| view | first rows, ms | app idle, ms | frame p50 / p95 / max, ms | long tasks, ms | longest CPU, ms |',
    )
    console.log('| --- | --: | --: | --: | --- | --: |')
    for (let round = 0; round < ROUNDS; round += 1)
      for (const view of ['list', 'gallery'] as const) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
        await page.addInitScript((chosen) => {
          localStorage.setItem('dropleaf.bundle-view', JSON.stringify({ view: chosen }))
        }, view)
        const startedAt = performance.now()
        await page.goto(url)
        await page.getByText('file-000000.txt').first().waitFor()
        const firstMs = Math.round(performance.now() - startedAt)
        await page.getByRole('grid').waitFor()
        await page.waitForLoadState('networkidle')
        const appMs = Math.round(performance.now() - startedAt)
        console.log(`| ${view} | ${firstMs} | ${appMs} | ${await scroll(page)} |`)
        await page.close()
      }
  } finally {
    await browser.close()
  }
}

const ceph = await startGateway()
await using product = await openProduct()
await requirePages(product)
const bucket = `bench-${randomUUID()}`
const s3 = directS3(ceph.gateway)
await fill(s3, bucket)
s3.destroy()
const table = createTable({
  cold: 'first page without the index, ms',
  walked: 'largest files without the index, ms',
  indexed: 'first page from the index, ms',
})
let last: Bundle | null = null
for (let round = 0; round < ROUNDS; round += 1) {
  const { mountPath } = await mountBucket(product, ceph.gateway, { bucket, name: `${bucket}-${round}` })
  const bundle = await shareFolder(product, mountPath)
  const ticket = await openBundle(product, bundle)
  const cold = await listMs(product, bundle, { ticket })
  const walked = await untilIndexed(product, bundle, ticket)
  const calls: number[] = []
  for (let call = 0; call < CALLS; call += 1) calls.push(await listMs(product, bundle, { ticket }))
  const indexed = median(calls)
  const range = `${Math.min(...calls).toFixed(1)} to ${Math.max(...calls).toFixed(1)}`
  console.log(`  ${cold.toFixed(0)} ms without the index, ${indexed.toFixed(1)} ms from it (${range})`)
  table.add('live folder', { cold, walked, indexed })
  last = bundle
}
table.print(`a live folder of ${OBJECTS} objects on a gateway, ${ROUNDS} rounds`)
if (last) await measureScrolling(`${product.url}s/${last.slug}?at=/${FOLDER}/`)
await ceph.stop()
