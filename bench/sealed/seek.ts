import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { launchProfile, requirePages } from '../lib/browser.ts'
import { startFront } from '../lib/front.ts'
import { startGateway } from '../lib/gateway.ts'
import { createTable } from '../lib/measure.ts'
import { addBucket, openProduct } from '../lib/product.ts'
import { sharedLink, startUpload } from '../lib/sealed-pages.ts'
import { existing, wholeNumber } from '../lib/settings.ts'
import { ownFolder } from '../lib/undo.ts'
import { openUploads } from '../lib/upload-page.ts'
import { createVerdict } from '../lib/verdict.ts'

/**
 * Plays an encrypted recording of `SIZE` (2 GiB) from a Ceph gateway whose responses are delayed by `DELAY` (50) ms.
 * Jumps to the middle in `ROUNDS` (5). Measures the time until the recording can play from there, and the bytes that
 * were fetched for the jump. Exits with 1 above `LIMIT` (2000) ms or 6 MiB. The recording is uncompressed audio, for
 * which a player needs as few bytes as for a film. `SCRATCH` is a folder for the recording.
 */

const MIB = 1024 ** 2
const SIZE = wholeNumber('SIZE', 2 * 1024 ** 3)
const DELAY_MS = wholeNumber('DELAY', 50)
const LIMIT_MS = wholeNumber('LIMIT', 2000)
const ROUNDS = wholeNumber('ROUNDS', 5)
const FETCHED_MAX_BYTES = 6 * MIB
const NAME = 'long.wav'
const HEAD_BYTES = 44
/** 96 kHz, two channels, 16 bits: 3 Mbit/s, the rate of a film. */
const RATE = 96_000
const CHANNELS = 2
const SAMPLE_BYTES = 2

async function makeSound(path: string): Promise<void> {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write('RIFF', 0)
  head.writeUInt32LE(SIZE - 8, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(CHANNELS, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * CHANNELS * SAMPLE_BYTES, 28)
  head.writeUInt16LE(CHANNELS * SAMPLE_BYTES, 32)
  head.writeUInt16LE(8 * SAMPLE_BYTES, 34)
  head.write('data', 36)
  head.writeUInt32LE(SIZE - HEAD_BYTES, 40)
  const handle = await open(path, 'w')
  await handle.write(head, 0, head.length, 0)
  await handle.truncate(SIZE)
  await handle.close()
}

async function measure(): Promise<void> {
  const verdict = createVerdict()
  const scratch = ownFolder(existing('SCRATCH', undefined))
  const file = join(scratch.path, NAME)
  await makeSound(file)
  const ceph = await startGateway()
  const front = await startFront(ceph.gateway.endpointUrl, { delayMs: DELAY_MS })
  await using product = await openProduct()
  await requirePages(product)
  await product.allowFilesOf(SIZE)
  const { storageId } = await addBucket(product, ceph.gateway, front.url)
  await product.call('POST', `api/s3-configs/${storageId}/test`, { fix: true })
  const sender = await launchProfile(ownFolder(scratch.path).path, {
    serviceWorkers: 'block',
    locale: 'en-US',
  })
  const page = await openUploads(sender, product)
  await startUpload(page, { file, storageId, isSealed: true })
  const link = await sharedLink(page)
  await sender.close()
  const fetchedBytes = front.fetched
  const table = createTable({
    opened: 'opened, ms',
    openedMib: 'for that, MiB',
    jump: 'jump, ms',
    jumpMib: 'for that, MiB',
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await launchProfile(ownFolder(scratch.path).path, { locale: 'en-US' })
    const reader = await context.newPage()
    await reader.goto(product.url)
    // Waits for the service worker, as on a later visit. On a first visit, the worker can start too late for a
    // recording.
    await reader.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 })
    const atStart = fetchedBytes()
    await reader.goto(link)
    const media = reader.locator('audio').first()
    await media.waitFor({ state: 'attached', timeout: 60_000 })
    const opened = await media.evaluate(async (element: HTMLAudioElement) => {
      while (element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA)
        await new Promise((resolve) => setTimeout(resolve, 10))
      return performance.now()
    })
    if (!(await media.evaluate((element: HTMLAudioElement) => element.currentSrc)).includes('/s-media/'))
      throw new Error('The recording does not come by ranges.')
    // Waits for the bytes that the player fetches without a jump.
    await reader.waitForTimeout(1000)
    const atJump = fetchedBytes()
    const jump = await media.evaluate(async (element: HTMLAudioElement) => {
      const startedAt = performance.now()
      const seeked = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
      element.currentTime = element.duration / 2
      await seeked
      while (element.readyState < HTMLMediaElement.HAVE_FUTURE_DATA)
        await new Promise((resolve) => setTimeout(resolve, 10))
      return performance.now() - startedAt
    })
    const jumpMib = (fetchedBytes() - atJump) / MIB
    table.add('recording', { opened, openedMib: (atJump - atStart) / MIB, jump, jumpMib })
    verdict.require(jump < LIMIT_MS, `jump in ${jump.toFixed(0)} ms, limit ${LIMIT_MS}`)
    verdict.require(jumpMib * MIB <= FETCHED_MAX_BYTES, `jump fetched ${jumpMib.toFixed(1)} MiB, limit 6`)
    await context.close()
  }
  table.print(`${SIZE} bytes, a storage that answers ${DELAY_MS} ms later, ${ROUNDS} rounds`)
  verdict.end()
  front.close()
  await ceph.stop()
}

await measure()
