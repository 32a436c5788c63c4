import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from '@playwright/test'
import { planParts } from '../packages/storage/src/parts.ts'
import { launchProfile, requirePages } from './lib/browser.ts'
import { startGateway } from './lib/gateway.ts'
import { addBucket, openProduct, type Product } from './lib/product.ts'
import { existing, wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'

/**
 * Uploads one file of `SIZE` (6 GiB and a remainder) from the upload page in Chromium to a Ceph gateway. Meanwhile,
 * pauses and resumes the upload, kills its tab, chooses the file again, and stops the gateway for `DOWN` (10) seconds.
 * Prints the checksums of the file and of a download, the bytes that were sent twice, the payload through the server,
 * and the growth of the browser's memory. Exits with 1 if the checksums differ, payload went through the server, or the
 * memory grew by `GROWTH` (200) MB. `SCRATCH` is a folder for the file, by default the temporary folder. The gateway
 * stores everything in memory.
 */

const MIB = 1024 ** 2
const SIZE = wholeNumber('SIZE', 6 * 1024 ** 3 + 6585)
const DOWN_SECONDS = wholeNumber('DOWN', 10)
const GROWTH_MB = wholeNumber('GROWTH', 200)
const PAUSED_AT = 0.2
const KILLED_AT = 0.4
const CUT_AT = 0.6
const POLL_MS = 200
const MEMORY_MS = 1000
/** One part in each of the three lanes. */
const AT_ONCE = 3
const NAME = 'large.bin'

/** Creates a sparse file. Each MiB starts with a unique mark, so that parts in the wrong order change the checksum. */
async function makeFile(folder: string): Promise<string> {
  const path = join(folder, NAME)
  const handle = await open(path, 'w')
  await handle.truncate(SIZE)
  for (let offset = 0; offset < SIZE; offset += MIB) {
    const mark = createHash('sha512').update(String(offset)).digest()
    await handle.write(mark.subarray(0, Math.min(mark.length, SIZE - offset)), 0, undefined, offset)
  }
  await handle.close()
  return path
}

async function checksum(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** Counts the requests that send bytes, over all pages of a browser. */
function watchBytes(context: BrowserContext, serverHost: string) {
  const numbers = new Map<Request, number>()
  const seen = { throughServer: 0, requests: 0, refused: 0 }
  context.on('request', (request) => {
    if (request.method() !== 'PUT') return
    const { host, searchParams } = new URL(request.url())
    if (host === serverHost) seen.throughServer += Number(request.headers()['content-length'] ?? 0) || 1
    else if (searchParams.has('partNumber')) {
      seen.requests += 1
      numbers.set(request, Number(searchParams.get('partNumber')))
    }
  })
  context.on('requestfailed', (request) => {
    // A refused connection has transferred no bytes.
    if (request.failure()?.errorText !== 'net::ERR_CONNECTION_REFUSED' || !numbers.delete(request)) return
    seen.refused += 1
  })
  /** Returns the part numbers of requests that can have transferred bytes. */
  const parts = () => [...numbers.values()]
  return { seen, parts }
}

/** Returns the proportional memory of all processes of the browser, in bytes. */
async function memoryOf(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024
    }),
  )
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

interface Processes {
  readonly all: () => Promise<number[]>
  readonly renderers: () => Promise<number[]>
}

async function processesOf(context: BrowserContext): Promise<Processes> {
  const browser = context.browser()
  if (!browser) throw new Error('There is no browser.')
  const session = await browser.newBrowserCDPSession()
  const list = async () => (await session.send('SystemInfo.getProcessInfo')).processInfo
  return {
    all: async () => (await list()).map(({ id }) => id),
    renderers: async () => (await list()).filter(({ type }) => type === 'renderer').map(({ id }) => id),
  }
}

/** Measures the maximum memory since the start of the measurement. */
function watchMemory({ all }: Processes) {
  const watch = { most: 0, isOver: false }
  const run = (async () => {
    while (!watch.isOver) {
      watch.most = Math.max(watch.most, await memoryOf(await all()))
      await sleep(MEMORY_MS)
    }
  })()
  return async () => {
    watch.isOver = true
    await run
    return watch.most
  }
}

const row = (page: Page) => page.locator('li[data-status]').filter({ hasText: NAME })

async function shareOf(page: Page): Promise<number> {
  const bar = row(page).getByRole('progressbar')
  if ((await row(page).getAttribute('data-status')) === 'success') return 1
  return Number((await bar.getAttribute('value').catch(() => null)) ?? 0)
}

async function until(what: string, isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await sleep(POLL_MS)
  console.log(`  ${what}`)
}

/** @throws {Error} with the reason if the page rejects the file or cancels the upload */
async function requireGoingOn(page: Page): Promise<void> {
  const status = await row(page).getAttribute('data-status')
  if (status === 'error') throw new Error(await row(page).innerText())
}

const reach = (page: Page, share: number) =>
  until(`${Math.round(share * 100)} % have arrived`, async () => {
    await requireGoingOn(page)
    return (await shareOf(page)) >= share
  })

async function openUploads(context: BrowserContext, product: Product): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${product.url}api/health`)
  await page.evaluate((token) => localStorage.setItem('admin_token', token), product.token)
  await page.goto(`${product.url}upload`)
  return page
}

async function interruptAll(
  page: Page,
  {
    context,
    product,
    file,
    processes,
    interrupt,
  }: {
    context: BrowserContext
    product: Product
    file: string
    processes: Processes
    interrupt: () => Promise<void>
  },
): Promise<Page> {
  await reach(page, PAUSED_AT)
  await row(page)
    .getByRole('button', { name: `Pause “${NAME}”` })
    .click()
  await until('paused', async () => (await row(page).getAttribute('data-status')) === 'paused')
  await sleep(2000)
  await row(page)
    .getByRole('button', { name: `Resume “${NAME}”` })
    .click()
  await reach(page, KILLED_AT)
  for (const pid of await processes.renderers()) process.kill(pid, 'SIGKILL')
  console.log('  the tab is killed')
  const next = await openUploads(context, product)
  await row(next)
    .getByRole('button', { name: `Choose the file for “${NAME}”` })
    .waitFor()
  await row(next).locator('input[type=file]').setInputFiles(file)
  await reach(next, CUT_AT)
  console.log(`  the gateway is stopped for ${DOWN_SECONDS} s`)
  await interrupt()
  return next
}

async function measure(): Promise<boolean> {
  const scratch = ownFolder(existing('SCRATCH', undefined))
  const file = await makeFile(scratch.path)
  const expected = await checksum(createReadStream(file))
  const ceph = await startGateway()
  await using product = await openProduct()
  await requirePages(product)
  await product.allowFilesOf(SIZE)
  const { storageId } = await addBucket(product, ceph.gateway)
  await product.call('POST', `api/s3-configs/${storageId}/test`, { fix: true })
  const profile = ownFolder()
  const context = await launchProfile(profile.path, { serviceWorkers: 'block', locale: 'en-US' })
  const { seen, parts } = watchBytes(context, new URL(product.url).host)
  const processes = await processesOf(context)
  const first = await openUploads(context, product)
  await first.getByLabel('Storage', { exact: true }).selectOption(storageId)
  await sleep(MEMORY_MS)
  const before = await memoryOf(await processes.all())
  const stopWatch = watchMemory(processes)
  const startedAt = performance.now()
  await first.locator('input[type=file]').setInputFiles(file)
  await first.getByRole('button', { name: 'Start upload' }).click()
  const interrupt = () => ceph.interrupt(DOWN_SECONDS * 1000)
  const last = await interruptAll(first, { context, product, file, processes, interrupt })
  await until('shared', async () => (await row(last).getAttribute('data-status')) === 'success')
  const seconds = (performance.now() - startedAt) / 1000
  const grownMb = ((await stopWatch()) - before) / MIB
  const link = (await row(last).getByRole('link').getAttribute('href')) ?? ''
  await context.close()
  const slug = link.split('/').at(-1) ?? ''
  const download = await fetch(`${product.url}api/file-download/${slug}`)
  if (!download.ok || download.body === null) throw new Error(`download: ${download.status}`)
  const actual = await checksum(download.body)
  const partBytes = planParts(SIZE).partSizeBytes
  const sent = parts()
  const again = (sent.length - new Set(sent).size) * partBytes
  console.log(
    `${SIZE} bytes in ${seconds.toFixed(1)} s, ${seen.requests} requests with parts of ${partBytes} bytes`,
  )
  console.log(`SHA-256 of the file     ${expected}`)
  console.log(`SHA-256 of the download ${actual} ${expected === actual ? '(equal)' : '(DIFFERENT)'}`)
  console.log(
    `bytes sent twice: at most ${again}, ${again / partBytes} parts; the pause, the killed tab and the stopped gateway had ${AT_ONCE} parts in flight each, ${seen.refused} requests were refused`,
  )
  console.log(`payload through the server: ${seen.throughServer} bytes`)
  console.log(`memory of the browser: ${grownMb.toFixed(0)} MB more than before the file was chosen`)
  await ceph.stop()
  const isFew = again <= 3 * AT_ONCE * partBytes
  return expected === actual && seen.throughServer === 0 && grownMb < GROWTH_MB && isFew
}

if (!(await measure())) process.exitCode = 1
