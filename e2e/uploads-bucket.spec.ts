import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { DEFAULT_MAX_UPLOAD_MB, fsFileRoutes, operationRoutes } from '@dropleaf/contract'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import {
  doneNotice,
  holdLine,
  MIB,
  numberIn,
  openTray,
  patternOf,
  sendFiles,
  watchSent,
} from './support/uploading.ts'
import { expect, say, test } from './support/worlds.ts'

/**
 * Tests one large upload that is paused, loses its connection, and resumes after a reload. `LARGE_UPLOAD_MIB` sets its
 * size.
 */

test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

const SIZE_MIB = Number(process.env['LARGE_UPLOAD_MIB'] ?? 75)
const PARTS = Math.ceil(SIZE_MIB / 5)
const AT_ONCE = 3

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(stream, hash)
  return hash.digest('hex')
}

async function makeFile(file: string): Promise<void> {
  const handle = await open(file, 'w')
  const block = randomBytes(MIB)
  for (let written = 0; written < SIZE_MIB; written += 1) {
    block.writeUInt32BE(written)
    await handle.write(block)
  }
  await handle.close()
}

test('an upload to a bucket is paused, loses its connection and its page, and completes', async ({
  adminPage: page,
  admin,
  words,
}, testInfo) => {
  test.setTimeout(120_000 + SIZE_MIB * 300)
  await mountBucket(admin, '/hard')
  await admin.call(operationRoutes.updateSettings, { body: { max_upload_size: SIZE_MIB } })
  const file = testInfo.outputPath('hard.bin')
  await makeFile(file)
  const line = await holdLine(page)
  line.left = AT_ONCE
  await page.goto('/mount-explorer/hard')
  await sendFiles(page, words, { files: [file] })
  const panel = await openTray(page, words)
  const arrived = () => numberIn(panel, words.tasks.partsDone, { total: PARTS })
  const tool = (text: string) => panel.getByRole('button', { name: say(text, { name: 'hard.bin' }) })

  await expect.poll(arrived).toBe(AT_ONCE)
  await tool(words.tasks.pause).click()
  await expect(panel.getByRole('list', { name: words.tasks.paused })).toBeVisible()
  line.left = AT_ONCE
  await tool(words.tasks.resume).click()
  await expect.poll(arrived).toBe(2 * AT_ONCE)

  line.state = 'cut'
  await expect(panel.getByText(patternOf(words.tasks.state.retrying))).toBeVisible()
  line.left = AT_ONCE
  line.state = 'open'
  await expect.poll(arrived).toBe(3 * AT_ONCE)

  page.once('dialog', (leaving) => void leaving.accept())
  await page.reload()
  await openTray(page, words)
  await expect(panel.getByText(words.tasks.state.needsFile)).toBeVisible()
  const sent = watchSent(page)
  line.left = Number.POSITIVE_INFINITY
  await panel.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText(doneNotice(words, 1))).toBeVisible({ timeout: 60_000 + SIZE_MIB * 150 })
  expect(sent).toHaveLength(PARTS - 3 * AT_ONCE)
  for (const { host } of sent) expect(host).not.toBe(new URL(page.url()).host)
  const { data } = await admin.call(fsFileRoutes.get, { query: { path: '/hard/hard.bin' } })
  const answer = await fetch(data.download_url ?? '')
  const stored = await hashOf(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>))
  expect(stored).toBe(await hashOf(createReadStream(file)))
  await admin.call(operationRoutes.updateSettings, { body: { max_upload_size: DEFAULT_MAX_UPLOAD_MB } })
})
