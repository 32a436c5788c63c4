import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Download, Page } from '@playwright/test'
import { launchProfile, requirePages } from '../lib/browser.ts'
import { startFront, type Front } from '../lib/front.ts'
import { startGateway } from '../lib/gateway.ts'
import { makeMarkedFile } from '../lib/large-file.ts'
import { addBucket, openProduct } from '../lib/product.ts'
import {
  sharedLink,
  startDownload,
  startUpload,
  withFileDialog,
  withoutFileDialog,
} from '../lib/sealed-pages.ts'
import { choice, existing, wholeNumber } from '../lib/settings.ts'
import { ownFolder, run, atExit } from '../lib/undo.ts'
import { openUploads } from '../lib/upload-page.ts'
import { createVerdict } from '../lib/verdict.ts'

/**
 * Breaks `RUNS` (300) downloads of encrypted files at random points. Uses all ways of saving and all faults in turn.
 * The faults are a broken connection to the bucket, a killed service worker and a full disk. Exits with 1 if an
 * incomplete file was left that looks complete. `ONLY` selects one way. `SEED` repeats the points of an earlier run.
 * `SCRATCH` is a folder for the files. Needs root, to mount a small disk.
 */

const MIB = 1024 ** 2
const RUNS = wholeNumber('RUNS', 300)
const SEED = wholeNumber('SEED', Date.now())
const ONLY = choice('ONLY', ['file', 'memory', 'spool', 'stream'], null)
const SMALL_BYTES = 12 * MIB + 77
/** Size of a file that is too large for a phone to collect in memory. */
const LARGE_BYTES = 65 * MIB + 4321
const SMALL = 'small.bin'
const LARGE = 'large.bin'
const DISK_MIB = 40
const SETTLE_LIMIT_MS = 60_000
const POLL_MS = 50

type Way = 'file' | 'memory' | 'spool' | 'stream'
type Fault = 'bucket' | 'worker' | 'disk'

/** Combinations of ways of saving and the faults that can affect them. */
const CASES: readonly (readonly [Way, Fault])[] = [
  ['memory', 'bucket'],
  ['file', 'bucket'],
  ['spool', 'bucket'],
  ['stream', 'bucket'],
  ['stream', 'worker'],
  ['file', 'disk'],
  ['spool', 'disk'],
  ['stream', 'disk'],
  ['spool', 'worker'],
]

const random = (index: number) =>
  createHash('sha256').update(`${SEED} ${index}`).digest().readUInt32BE() / 2 ** 32

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface World {
  readonly front: Front
  readonly links: Readonly<Record<string, string>>
  readonly sums: ReadonlySet<string>
  readonly scratch: string
  readonly smallDisk: string
}

const withoutRoom = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(navigator.storage, { estimate: async () => ({ quota: 0, usage: 0 }) })
  })

async function limitDisk(page: Page, url: string, quotaSize: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize })
}

async function killWorkers(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const versions: string[] = []
  session.on('ServiceWorker.workerVersionUpdated', ({ versions: seen }) => {
    for (const { versionId, runningStatus } of seen) if (runningStatus === 'running') versions.push(versionId)
  })
  await session.send('ServiceWorker.enable')
  await sleep(POLL_MS)
  for (const versionId of versions) await session.send('ServiceWorker.stopWorker', { versionId })
  await page.close()
}

/**
 * Returns all files that look complete to the user: the contents of downloads, and `sum ` with the SHA-256 of files in
 * the browser's own storage.
 */
async function filesLeft(page: Page, downloads: readonly Download[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = []
  for (const one of downloads) {
    const failure = await Promise.race([one.failure(), sleep(SETTLE_LIMIT_MS, 'still running')])
    if (failure === null) found.push(await readFile(await one.path()))
  }
  const saved = await page.evaluate(
    async (names) => {
      const root = await navigator.storage.getDirectory()
      const texts: string[] = []
      for (const name of names) {
        const handle = await root.getFileHandle(name).catch(() => null)
        const file = await handle?.getFile()
        if (!file || file.size === 0) continue
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
        texts.push(Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''))
      }
      return texts
    },
    [SMALL, LARGE],
  )
  return [...found, ...saved.map((text) => Buffer.from(`sum ${text}`))]
}

/** Waits until the page reports that a download has failed. @returns `silent` if it reports nothing for a minute */
async function untilTold(page: Page): Promise<string> {
  const told = page.getByText(/was not saved/).first()
  const isTold = told.waitFor({ timeout: SETTLE_LIMIT_MS }).then(
    () => 'told',
    () => 'silent',
  )
  return isTold
}

async function attempt(world: World, index: number, [way, fault]: readonly [Way, Fault]) {
  const { front, links, sums, scratch, smallDisk } = world
  const isPhone = way === 'spool' || way === 'stream'
  const name = isPhone ? LARGE : SMALL
  const size = isPhone ? LARGE_BYTES : SMALL_BYTES
  const link = links[name] ?? ''
  const point = Math.floor((0.02 + 0.9 * random(index)) * size)
  const profile = ownFolder(scratch)
  const isSmallDisk = way === 'stream' && fault === 'disk'
  const context = await launchProfile(profile.path, {
    locale: 'en-US',
    downloadsPath: isSmallDisk ? smallDisk : profile.path,
    ...(isPhone && { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }),
  })
  try {
    const page = await context.newPage()
    await (way === 'file' ? withFileDialog(page) : withoutFileDialog(page))
    if (way === 'stream') await withoutRoom(page)
    const downloads: Download[] = []
    page.on('download', (one) => downloads.push(one))
    await page.goto(link)
    await page.getByRole('button', { name: 'Download', exact: true }).first().waitFor()
    if (way === 'stream' || fault === 'worker')
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    if (fault === 'bucket') front.cutGetsAfter(point)
    if (fault === 'disk' && !isSmallDisk) await limitDisk(page, link, point)
    const fetchedBefore = front.fetched()
    await startDownload(page)
    if (fault === 'worker') {
      while (front.fetched() - fetchedBefore < point && downloads.length < (way === 'spool' ? 1 : 9))
        await sleep(POLL_MS / 5)
      await killWorkers(context)
    }
    const ended = Promise.race([untilTold(page), wholeFile(page, downloads)])
    const told = await ended
    const left = await filesLeft(page, downloads)
    const bad = left.filter((bytes) => {
      const text = Buffer.from(bytes.subarray(0, 4)).toString()
      const sum = text === 'sum ' ? Buffer.from(bytes.subarray(4)).toString() : sumOf(bytes)
      return !sums.has(sum)
    })
    return { told, left: left.length, bad: bad.length }
  } finally {
    front.cutGetsAfter(Infinity)
    await context.close().catch(() => undefined)
    profile[Symbol.dispose]()
  }
}

/** Resolves when a download is complete, a file is saved, or the page is closed. A failed download does not count. */
async function wholeFile(page: Page, downloads: readonly Download[]): Promise<string> {
  for (;;) {
    for (const one of downloads) {
      const state = await Promise.race([one.failure(), sleep(POLL_MS, 'running')])
      if (state === null) return 'download finished'
    }
    if (page.isClosed()) return 'closed'
    const isSaved = await page
      .evaluate(async (name) => {
        const root = await navigator.storage.getDirectory()
        const handle = await root.getFileHandle(name).catch(() => null)
        return ((await handle?.getFile())?.size ?? 0) > 0
      }, SMALL)
      .catch(() => false)
    if (isSaved) return 'file finished'
    await sleep(POLL_MS)
  }
}

/** @returns a function that unmounts the disk. The disk is also unmounted at the end of the program. */
async function mountSmallDisk(folder: string): Promise<() => void> {
  let isMounted = true
  const unmount = () => {
    if (isMounted) execFileSync('umount', ['-l', folder])
    isMounted = false
  }
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder])
  atExit(unmount)
  return unmount
}

async function measure(): Promise<void> {
  const verdict = createVerdict()
  const scratch = ownFolder(existing('SCRATCH', undefined))
  const disk = ownFolder()
  const unmount = await mountSmallDisk(disk.path)
  const ceph = await startGateway()
  const front = await startFront(ceph.gateway.endpointUrl)
  await using product = await openProduct()
  await requirePages(product)
  const { storageId } = await addBucket(product, ceph.gateway, front.url)
  await product.call('POST', `api/s3-configs/${storageId}/test`, { fix: true })
  const sender = await launchProfile(ownFolder(scratch.path).path, {
    serviceWorkers: 'block',
    locale: 'en-US',
  })
  const links: Record<string, string> = {}
  const sums = new Set<string>()
  for (const [name, size] of [
    [SMALL, SMALL_BYTES],
    [LARGE, LARGE_BYTES],
  ] as const) {
    const file = await makeMarkedFile(join(scratch.path, name), size)
    sums.add(sumOf(await readFile(file)))
    const page = await openUploads(sender, product)
    await startUpload(page, { file, storageId, isSealed: true })
    links[name] = await sharedLink(page)
  }
  await sender.close()
  console.log(`SEED=${SEED}`)
  const world = { front, links, sums, scratch: scratch.path, smallDisk: disk.path }
  const cases = CASES.filter(([way]) => ONLY === null || way === ONLY)
  const counts = new Map<string, Record<string, number>>()
  let bad = 0
  for (let index = 0; index < RUNS; index += 1) {
    const one = cases[index % cases.length] ?? ['file', 'bucket']
    const seen = await attempt(world, index, one).catch((error: unknown) => ({
      told: `error: ${String(error).split('\n')[0]}`,
      left: 0,
      bad: 0,
    }))
    bad += seen.bad
    const key = one.join(' / ')
    const row = counts.get(key) ?? {}
    row[seen.told] = (row[seen.told] ?? 0) + 1
    row['BAD FILE'] = (row['BAD FILE'] ?? 0) + seen.bad
    counts.set(key, row)
    console.log(`  ${index}: ${key}: ${JSON.stringify(seen)}`)
  }
  for (const [key, row] of counts) console.log(`${key}: ${JSON.stringify(row)}`)
  verdict.require(bad === 0, `${bad} of ${RUNS} broken downloads left a file that looks complete and is not`)
  verdict.end()
  front.close()
  unmount()
  await ceph.stop()
}

await measure()
