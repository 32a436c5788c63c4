import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { launchProfile, requirePages } from '../lib/browser.ts'
import { processesOf } from '../lib/browser-memory.ts'
import { type Front, startFront } from '../lib/front.ts'
import { startGateway } from '../lib/gateway.ts'
import { checksum, makeMarkedFile } from '../lib/large-file.ts'
import { addBucket, openProduct, type Product } from '../lib/product.ts'
import { download, sharedLink, startUpload, withoutFileDialog } from '../lib/sealed-pages.ts'
import { existing, wholeNumber } from '../lib/settings.ts'
import { ownFolder } from '../lib/undo.ts'
import { openUploads, requireGoingOn, row, shareOf } from '../lib/upload-page.ts'
import { createVerdict } from '../lib/verdict.ts'

/**
 * Kills the tab of an encrypted upload of `SIZE` (300 MiB) at `KILLS` (20) random points, and chooses the file again
 * each time. Exits with 1 if a kill sent more parts twice than were in flight (3), or the checksum of a download
 * differs. `SEED` repeats the points of an earlier run. The bucket accepts `SPEED` (60) MB/s of each part, so that
 * the upload lasts long enough for all kills. `SCRATCH` is a folder for the file.
 */

const KILLS = wholeNumber('KILLS', 20)
const SIZE = wholeNumber('SIZE', 300 * 1024 ** 2)
const SPEED_MB = wholeNumber('SPEED', 60)
const SEED = wholeNumber('SEED', Date.now())
const AT_ONCE = 3
const NAME = 'large.bin'
/** Largest progress at which a tab is killed. The rest is left for parts that are in flight. */
const LAST_POINT = 0.92
const POLL_MS = 20
const LATER_MS = 300

/** Returns a number from 0 to 1. The same seed and index always give the same number. */
const random = (index: number) =>
  createHash('sha256').update(`${SEED} ${index}`).digest().readUInt32BE() / 2 ** 32

/** Counts the requests of each part that have sent bytes. */
function partsSent({ passed }: Front): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { method, path, sentBytes } of passed) {
    const part = new URL(path, 'http://x').searchParams.get('partNumber')
    if (method === 'PUT' && part !== null && sentBytes > 0) counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return counts
}

const sentTwice = (front: Front) => [...partsSent(front).values()].reduce((sum, count) => sum + count - 1, 0)

async function killAt(page: Page, context: BrowserContext, share: number, laterMs: number): Promise<void> {
  while ((await shareOf(page)) < share) {
    await requireGoingOn(page)
    await sleep(POLL_MS)
  }
  await sleep(laterMs)
  const { renderers } = await processesOf(context)
  for (const pid of await renderers()) process.kill(pid, 'SIGKILL')
}

async function chooseAgain(context: BrowserContext, product: Product, file: string): Promise<Page> {
  const page = await openUploads(context, product)
  const again = row(page).locator('input[type=file]').first()
  await again.waitFor({ state: 'attached' })
  await again.setInputFiles(file)
  return page
}

async function measure(): Promise<void> {
  const verdict = createVerdict()
  const scratch = ownFolder(existing('SCRATCH', undefined))
  const file = await makeMarkedFile(join(scratch.path, NAME), SIZE)
  const expected = await checksum(createReadStream(file))
  const ceph = await startGateway()
  const front = await startFront(ceph.gateway.endpointUrl, { bytesPerSecond: SPEED_MB * 1e6 })
  await using product = await openProduct()
  await requirePages(product)
  await product.allowFilesOf(SIZE)
  const { storageId } = await addBucket(product, ceph.gateway, front.url)
  await product.call('POST', `api/s3-configs/${storageId}/test`, { fix: true })
  const profile = ownFolder(scratch.path)
  const context = await launchProfile(profile.path, { serviceWorkers: 'block', locale: 'en-US' })
  console.log(`SEED=${SEED}`)
  let page = await openUploads(context, product)
  await startUpload(page, { file, storageId, isSealed: true })
  const points = Array.from({ length: KILLS }, (_, index) => random(index) * LAST_POINT).sort((a, b) => a - b)
  const again: number[] = []
  let before = 0
  for (const [index, share] of points.entries()) {
    await killAt(page, context, share, random(KILLS + index) * LATER_MS)
    page = await chooseAgain(context, product, file)
    // Parts that were in flight in the killed tab are sent again before the next kill, or are counted with that kill.
    const now = sentTwice(front)
    again.push(now - before)
    before = now
  }
  const link = await sharedLink(page)
  const total = sentTwice(front)
  console.log(`  parts sent twice, as known at each new start: ${again.join(' ')}, then ${total - before}`)
  await page.close()
  const reader = await context.newPage()
  await withoutFileDialog(reader)
  await reader.goto(link)
  const saved = await download(reader)
  const actual = await checksum(createReadStream(await saved.path()))
  await context.close()
  verdict.require(
    total <= AT_ONCE * KILLS,
    `${total} parts sent twice in ${KILLS} kills, at most ${AT_ONCE * KILLS}`,
  )
  const worst = Math.max(...again)
  verdict.require(worst <= AT_ONCE, `${worst} parts sent twice at most in one kill, at most ${AT_ONCE}`)
  verdict.require(actual === expected, 'SHA-256 equal')
  verdict.end()
  front.close()
  await ceph.stop()
}

await measure()
