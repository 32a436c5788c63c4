import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { planParts } from '../packages/storage/src/parts.ts'
import { launchProfile, requirePages } from './lib/browser.ts'
import { type Processes, processesOf, watchMemory } from './lib/browser-memory.ts'
import { startGateway } from './lib/gateway.ts'
import { checksum, makeMarkedFile } from './lib/large-file.ts'
import { addBucket, openProduct, type Product } from './lib/product.ts'
import { existing, wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'
import { openUploads, reach, row, until, watchBytes, unfoldOptions } from './lib/upload-page.ts'

/**
 * Uploads one file of `SIZE` (6 GiB and a remainder) from the upload page in Chromium to a Ceph gateway. Meanwhile,
 * pauses and resumes the upload, kills its tab, chooses the file again, and stops the gateway for `DOWN` (10)
 * seconds. Prints the checksums of the file and of a download, the number of bytes that were sent twice, the payload
 * through the server, and the growth of the browser's memory. Exits with 1 if the checksums differ, payload went
 * through the server, the memory grew by `GROWTH` (200) MB, or more bytes were sent twice than the interruptions
 * explain. `SCRATCH` is a folder for the file, by default the temporary folder. The gateway stores everything in
 * memory.
 */

const MIB = 1024 ** 2
const SIZE = wholeNumber('SIZE', 6 * 1024 ** 3 + 6585)
const DOWN_SECONDS = wholeNumber('DOWN', 10)
const GROWTH_MB = wholeNumber('GROWTH', 200)
const PAUSED_AT = 0.2
const KILLED_AT = 0.4
const CUT_AT = 0.6
const MEMORY_MS = 1000
/** Number of parts that are sent at the same time, one in each of the three lanes. */
const AT_ONCE = 3
const NAME = 'large.bin'

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
  const file = await makeMarkedFile(join(scratch.path, NAME), SIZE)
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
  await unfoldOptions(first)
  await first.getByLabel('Storage', { exact: true }).selectOption(storageId)
  await sleep(MEMORY_MS)
  const before = await processes.memory()
  const stopWatch = watchMemory(processes)
  const startedAt = performance.now()
  await first.locator('input[type=file]').setInputFiles(file)
  await first.getByRole('button', { name: 'Start upload' }).click()
  const interrupt = () => ceph.interrupt(DOWN_SECONDS * 1000)
  const last = await interruptAll(first, { context, product, file, processes, interrupt })
  await until('shared', async () => (await row(last).getAttribute('data-status')) === 'success')
  const seconds = (performance.now() - startedAt) / 1000
  const grownMb = ((await stopWatch()).total - before.total) / MIB
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
