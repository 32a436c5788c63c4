import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fsFileRoutes, fsListingRoutes, taskRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { expect, test } from './support/test.ts'

/** The journeys of the explorer through a bucket: its bytes go between the browser and the S3 server directly. */

test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

const MIB = 1024 * 1024
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Addresses other than the product's own that the page sends bytes to, or fetches them from. */
function watchForeign(page: Page, origin: string): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && request.url().startsWith('http'))
      seen.push(`${request.method()} ${new URL(request.url()).host}`)
  })
  return seen
}

async function bytesAt(admin: Api, path: string): Promise<Uint8Array> {
  const { data } = await admin.call(fsFileRoutes.get, { query: { path } })
  return new Uint8Array(await (await fetch(data.download_url ?? '')).arrayBuffer())
}

async function choose(page: Page, action: string, name: string): Promise<void> {
  await row(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a large file goes straight to the bucket in parts, and comes back from it', async ({
  adminPage: page,
  admin,
  baseURL,
}, testInfo) => {
  await mountBucket(admin, '/parts')
  const bytes = randomBytes(33 * MIB)
  const file = testInfo.outputPath('video.bin')
  await writeFile(file, bytes)
  await page.goto('/mount-explorer/parts')
  const foreign = watchForeign(page, baseURL ?? '')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: /Upload to/ })
  await dialog.getByLabel('Choose files').last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('Files uploaded: 1')).toBeVisible({ timeout: 30_000 })
  expect(foreign.filter((one) => one.startsWith('PUT'))).toHaveLength(7)
  await expect(row(page, 'video.bin')).toBeVisible()
  expect(hashOf(await bytesAt(admin, '/parts/video.bin'))).toBe(hashOf(bytes))
})

test('files of a bucket are shown, edited, renamed, moved, copied and removed', async ({
  adminPage: page,
  admin,
}) => {
  await mountBucket(admin, '/bucket')
  const put = (path: string, content: string) => admin.call(fsFileRoutes.update, { body: { path, content } })
  await put('/bucket/notes/今天.md', '# Today in the bucket')
  await put('/bucket/plan.txt', 'the plan')
  await page.goto('/mount-explorer/bucket/notes')
  await row(page, '今天.md').dblclick()
  await expect(page.getByRole('heading', { name: 'Today in the bucket' })).toBeVisible()
  await page.goto('/mount-explorer/bucket')
  await choose(page, 'Rename', 'notes')
  await page.getByRole('dialog').getByRole('textbox').fill('记录')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(row(page, '记录')).toBeVisible()
  expect(Buffer.from(await bytesAt(admin, '/bucket/记录/今天.md')).toString()).toBe('# Today in the bucket')
  await choose(page, 'Copy', 'plan.txt')
  const picker = page.getByRole('dialog')
  await picker.getByRole('treeitem', { name: 'local', exact: true }).click()
  await picker.getByRole('button', { name: 'Copy here' }).click()
  await expect
    .poll(async () => {
      try {
        return Buffer.from(await bytesAt(admin, '/local/plan.txt')).toString()
      } catch {
        return null
      }
    })
    .toBe('the plan')
  await choose(page, 'Delete', 'plan.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'plan.txt')).toBeHidden()
  await expect
    .poll(() =>
      admin.call(fsFileRoutes.get, { query: { path: '/bucket/plan.txt' } }).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
})

const OBJECTS = 1500

test('a running copy is seen after a reload, and stops on the server when it is cancelled', async ({
  adminPage: page,
  admin,
}) => {
  const { put } = await mountBucket(admin, '/copies')
  const keys = Array.from({ length: OBJECTS }, (_, n) => `many/${n}.txt`)
  for (let from = 0; from < keys.length; from += 50)
    await Promise.all(keys.slice(from, from + 50).map((key) => put(key, key)))
  const running = async () => {
    const { data } = await admin.call(taskRoutes.list, { query: { state: null, limit: 50 } })
    return data.tasks.find(({ type }) => type === 'copy')
  }
  await page.goto('/mount-explorer/copies')
  await choose(page, 'Copy', 'many')
  await page.getByRole('dialog').getByRole('button', { name: 'Copy here' }).click()
  await expect.poll(async () => (await running())?.progress.doneItems ?? 0).toBeGreaterThan(20)
  await page.reload()
  await page.getByRole('button', { name: /^Tasks: 1 running/ }).click()
  const panel = page.getByRole('dialog', { name: 'Tasks' })
  await expect(panel.getByText(/many/).first()).toBeVisible()
  await panel.getByRole('button', { name: /^Cancel/ }).click()
  await expect.poll(async () => (await running())?.state).toBe('cancelled')
  const done = (await running())?.progress.doneItems ?? 0
  expect(done).toBeLessThan(OBJECTS)
  const countOf = async (path: string) => {
    const { data } = await admin.call(fsListingRoutes.list, {
      query: { path, limit: null, cursor: null, sort: null, order: 'asc', refresh: true },
    })
    return data.items.length
  }
  const copies = await countOf('/copies/many(1)/')
  await page.waitForTimeout(2000)
  expect(await countOf('/copies/many(1)/')).toBe(copies)
  expect(copies).toBeLessThan(OBJECTS)
  expect(await countOf('/copies/many/')).toBe(OBJECTS)
})
