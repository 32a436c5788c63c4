import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { type BareBrowser, startBareBrowser } from '../lib/bare-browser.ts'
import { requirePages } from '../lib/browser.ts'
import { memoryOf, watchMemory } from '../lib/browser-memory.ts'
import { startGateway } from '../lib/gateway.ts'
import { checksum, makeMarkedFile } from '../lib/large-file.ts'
import { createTable, timed } from '../lib/measure.ts'
import { addBucket, directS3, emptyBucket, openProduct, type Product } from '../lib/product.ts'
import {
  type Sending,
  sharedLink,
  startDownload,
  startUpload,
  withFileDialog,
  withoutFileDialog,
} from '../lib/sealed-pages.ts'
import { decimal, existing, wholeNumber } from '../lib/settings.ts'
import { ownFolder } from '../lib/undo.ts'
import { signIn } from '../lib/upload-page.ts'
import { createVerdict } from '../lib/verdict.ts'

/**
 * Uploads one file of `SIZE` (2 GiB and a remainder) from the upload page in Chromium to a Ceph gateway. Alternates
 * between open and end-to-end encrypted uploads, in `ROUNDS` (2). Downloads the last encrypted file to a file handle,
 * and through a private file. Exits with 1 if a checksum differs, payload went through the server, the memory of the
 * pages and workers (the renderer processes) grew by `GROWTH` (200) MB in an encrypted transfer, or the encrypted
 * upload had less than `RATIO` (0.6) of the speed of the open upload. Also prints the growth of the whole browser, with
 * its caches. `SCRATCH` is a folder for the files, by default the temporary folder. The gateway stores everything in
 * memory.
 *
 * A headless browser has no file dialog, so the file handle refers to a file in the browser's own storage.
 */

const MIB = 1024 ** 2
/** Size of a file that is too large for a browser on a computer to collect in memory. */
const LEAST = 260 * MIB
const SIZE = wholeNumber('SIZE', 2 * 1024 ** 3 + 6585, { least: LEAST })
const ROUNDS = wholeNumber('ROUNDS', 2)
const GROWTH_MB = wholeNumber('GROWTH', 200)
const RATIO = decimal('RATIO', 0.6, { least: 0 })
const NAME = 'large.bin'
const SETTLE_MS = 1500
const POLL_MS = 200
/**
 * Largest fraction of the payload that may pass through the server. The pages and API requests pass through the
 * server too.
 */
const SERVER_SHARE = 0.02

const table = createTable({
  seconds: 's',
  speed: 'MB/s',
  memory: 'memory, MB more',
  pages: 'of it, pages',
  browser: 'of it, browser',
  server: 'server, MB',
})
const verdict = createVerdict()

/** Returns the number of bytes that a process has read from and written to files and sockets. */
async function transferredBytes(pid: number | null): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8')
  const numberOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return numberOf('rchar') + numberOf('wchar')
}

interface World {
  readonly product: Product
  readonly browser: BareBrowser
}

/** Measures one transfer, and checks its limits. @returns its duration in seconds */
async function measured(
  { product, browser }: World,
  name: string,
  work: () => Promise<unknown>,
): Promise<number> {
  await sleep(SETTLE_MS)
  const memoryNow = async () => memoryOf(await browser.processes())
  const before = await memoryNow()
  const serverBefore = await transferredBytes(product.pid)
  const stopWatch = watchMemory({ memory: memoryNow })
  const seconds = (await timed(work)) / 1000
  const most = await stopWatch()
  const memory = (most.total - before.total) / 1e6
  const ofType = (type: string) => ((most.byType.get(type) ?? 0) - (before.byType.get(type) ?? 0)) / 1e6
  const server = (await transferredBytes(product.pid)) - serverBefore
  table.add(name, {
    seconds,
    speed: SIZE / 1e6 / seconds,
    memory,
    pages: ofType('renderer'),
    browser: ofType('browser'),
    server: server / 1e6,
  })
  if (name !== OPEN)
    verdict.require(
      ofType('renderer') < GROWTH_MB,
      `${name}: the memory of pages and workers grew by ${ofType('renderer').toFixed(0)} MB of ${GROWTH_MB}, of the whole browser by ${memory.toFixed(0)}`,
    )
  verdict.require(server < SIZE * SERVER_SHARE, `${name}: ${(server / 1e6).toFixed(1)} MB in the server`)
  return seconds
}

const OPEN = 'open upload'
const SEALED = 'encrypted upload'

const DONE = 'transfer is done'
const POLLS_OF_FAILURE = 50

/** Sets a title on the page when the first row reports a complete upload, or a failure for 5 seconds. */
const tellEnd = (page: Page) =>
  page.evaluate(
    ([title, most]) => {
      let failed = 0
      setInterval(() => {
        const status = document.querySelector('li[data-status]')?.getAttribute('data-status')
        failed = status === 'error' ? failed + 1 : 0
        if (status === 'success' || failed > most) document.title = title
      }, 100)
    },
    [DONE, POLLS_OF_FAILURE] as const,
  )

async function upload({ product, browser }: World, { file, storageId, isSealed }: Sending) {
  await browser.act((page) => signIn(page, product))
  const seconds = await measured({ product, browser }, isSealed ? SEALED : OPEN, async () => {
    await browser.look(async (page) => {
      await tellEnd(page)
      await startUpload(page, { file, storageId, isSealed })
    })
    await browser.untilTitle(DONE)
  })
  return { seconds, link: await browser.look(sharedLink) }
}

const openReader = ({ browser }: World, link: string, prepare: (page: Page) => Promise<unknown>) =>
  browser.act(async (page) => {
    await prepare(page)
    await page.goto(link)
    await page.getByRole('button', { name: 'Download', exact: true }).first().waitFor()
  })

/** Finds a file of the browser's own storage in the profile of the browser, where the file has another name. */
async function fileOfSize(profile: string): Promise<string> {
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await stat(path).catch(() => null))?.size === SIZE) return path
  }
  throw new Error('The browser has stored no file of this size.')
}

async function downloadToHandle(world: World, link: string, profile: string): Promise<string> {
  const { browser } = world
  await openReader(world, link, withFileDialog)
  await measured(world, 'download to a file handle', async () => {
    await browser.look(async (page) => {
      await page.evaluate(
        ([name, title]) => {
          // Waits until the file is closed, because it gets its bytes only then.
          const look = async () => {
            const root = await navigator.storage.getDirectory()
            const handle = await root.getFileHandle(name).catch(() => null)
            if (handle && (await handle.getFile()).size > 0) document.title = title
          }
          setInterval(() => void look(), 200)
        },
        [NAME, DONE] as const,
      )
      await startDownload(page)
    })
    await browser.untilTitle(DONE)
  })
  const sum = await checksum(createReadStream(await fileOfSize(profile)))
  await browser.look((page) =>
    page.evaluate(async (name) => (await navigator.storage.getDirectory()).removeEntry(name), NAME),
  )
  return sum
}

async function downloadBySpool(world: World, link: string, downloads: string): Promise<string> {
  await openReader(world, link, withoutFileDialog)
  const path = join(downloads, NAME)
  await measured(world, 'download by a private file', async () => {
    await world.browser.look(startDownload)
    // Waits until the browser gives the finished download its final name.
    while (!existsSync(path)) await sleep(POLL_MS)
  })
  return checksum(createReadStream(path))
}

async function measure(): Promise<void> {
  const scratch = ownFolder(existing('SCRATCH', undefined))
  const file = await makeMarkedFile(join(scratch.path, NAME), SIZE)
  const expected = await checksum(createReadStream(file))
  const ceph = await startGateway()
  await using product = await openProduct()
  await requirePages(product)
  await product.allowFilesOf(SIZE)
  const { storageId, bucket } = await addBucket(product, ceph.gateway)
  await product.call('POST', `api/s3-configs/${storageId}/test`, { fix: true })
  const profile = ownFolder(scratch.path)
  const downloads = ownFolder(scratch.path)
  const s3 = directS3(ceph.gateway)
  await using browser = await startBareBrowser(profile.path, downloads.path)
  const world = { product, browser }
  const times = { open: 0, sealed: 0 }
  let link = ''
  for (let round = ROUNDS; round > 0; round -= 1)
    // The order changes, so that neither side always comes second. The last upload is encrypted.
    for (const isSealed of round % 2 === 1 ? [false, true] : [true, false]) {
      await emptyBucket(s3, bucket)
      await ceph.collectGarbage()
      const sent = await upload(world, { file, storageId, isSealed })
      times[isSealed ? 'sealed' : 'open'] += sent.seconds
      link = sent.link
    }
  verdict.require(
    (await downloadToHandle(world, link, profile.path)) === expected,
    'file handle: SHA-256 equal',
  )
  verdict.require(
    (await downloadBySpool(world, link, downloads.path)) === expected,
    'private file: SHA-256 equal',
  )
  s3.destroy()
  const ratio = times.open / times.sealed
  verdict.require(ratio >= RATIO, `speed: encrypted / open ${ratio.toFixed(2)}, at least ${RATIO}`)
  table.print(`${SIZE} bytes, ${ROUNDS} rounds of uploads`)
  verdict.end()
  await ceph.stop()
}

await measure()
