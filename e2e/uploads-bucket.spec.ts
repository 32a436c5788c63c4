import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { DEFAULT_MAX_UPLOAD_MB, fsFileRoutes, systemRoutes } from '@dropleaf/contract'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { expect, test } from './support/test.ts'

/** An upload that everything happens to. `LARGE_UPLOAD_MIB` makes it as large as one likes. */

test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

const MIB = 1024 * 1024
const SIZE_MIB = Number(process.env['LARGE_UPLOAD_MIB'] ?? 120)
const PARTS = Math.ceil(SIZE_MIB / 5)
const AT_ONCE = 3
const CUT_MS = 10_000

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

test('an upload to a bucket is paused, loses its line for ten seconds and its page, and is whole in the end', async ({
  adminPage: page,
  admin,
  baseURL,
}, testInfo) => {
  test.setTimeout(120_000 + SIZE_MIB * 300)
  await mountBucket(admin, '/hard')
  await admin.call(systemRoutes.updateSettings, { body: { max_upload_size: SIZE_MIB } })
  const file = testInfo.outputPath('hard.bin')
  await makeFile(file)
  let isCut = false
  let sent = 0
  await page.route(
    (url) => url.origin !== baseURL,
    async (route) => {
      if (route.request().method() !== 'PUT') {
        await route.fallback()
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
      if (isCut) {
        await route.abort('connectionrefused').catch(() => undefined)
        return
      }
      sent += 1
      await route.continue().catch(() => undefined)
    },
  )
  await page.goto('/mount-explorer/hard')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: /Upload to/ })
  await dialog.getByLabel('Choose files').last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  const tray = page.getByRole('button', { name: /^Tasks:/ })
  const panel = page.getByRole('dialog', { name: 'Tasks' })
  await tray.click()
  const arrived = async () => Number(/Parts: (\d+) of/.exec(await panel.innerText())?.[1] ?? 0)

  await expect.poll(arrived).toBeGreaterThanOrEqual(2)
  await panel.getByRole('button', { name: 'Pause hard.bin' }).click()
  await expect(panel.getByText('Paused')).toBeVisible()
  await panel.getByRole('button', { name: 'Resume hard.bin' }).click()
  await expect.poll(arrived).toBeGreaterThanOrEqual(5)

  isCut = true
  await expect(panel.getByText('Connection lost')).toBeVisible({ timeout: CUT_MS })
  await page.waitForTimeout(CUT_MS / 2)
  isCut = false
  await expect.poll(arrived, { timeout: 20_000 }).toBeGreaterThanOrEqual(9)

  page.once('dialog', (leaving) => void leaving.accept())
  await page.reload()
  await tray.click()
  await expect(panel.getByText('Needs the file again')).toBeVisible()
  await panel.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText('Files uploaded: 1')).toBeVisible({ timeout: 60_000 + SIZE_MIB * 150 })

  // Only what was in flight at the pause, at the cut and at the reload may have gone twice.
  expect(sent).toBeGreaterThanOrEqual(PARTS)
  expect(sent).toBeLessThanOrEqual(PARTS + 3 * AT_ONCE)
  const { data } = await admin.call(fsFileRoutes.get, { query: { path: '/hard/hard.bin' } })
  const answer = await fetch(data.download_url ?? '')
  const stored = await hashOf(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>))
  expect(stored).toBe(await hashOf(createReadStream(file)))
  await admin.call(systemRoutes.updateSettings, { body: { max_upload_size: DEFAULT_MAX_UPLOAD_MB } })
})
