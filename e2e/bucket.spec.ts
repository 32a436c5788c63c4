import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { fsFileRoutes, fsListingRoutes, fsTransferRoutes, type Task, taskRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { startGate } from './support/gate.ts'
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

const OBJECTS = 20

/** Answers a copy as the server does when it has waited for its end in vain, without the wait. */
async function answerAtOnce(page: Page, admin: Api): Promise<void> {
  await page.route('**/api/fs/batch-copy', async (route) => {
    void route.fetch({ timeout: 0 }).catch(() => undefined)
    await expect.poll(() => findCopy(admin, 'running')).toBeDefined()
    const data = { crossStorage: false, success: 0, skipped: 0, failed: 0, details: [] }
    const task = await findCopy(admin, 'running')
    await route.fulfill({
      status: 202,
      json: { code: 202, message: '', success: true, data: { ...data, task } },
    })
  })
}

async function findCopy(admin: Api, state: Task['state']): Promise<Task | undefined> {
  const { data } = await admin.call(taskRoutes.list, { query: { state: null, limit: 50 } })
  return data.tasks.find((task) => task.type === 'copy' && task.state === state)
}

test('a copy that takes long goes on by itself, is seen after a reload, and stops when it is cancelled', async ({
  adminPage: page,
  admin,
}) => {
  const gate = await startGate(process.env['TEST_S3_ENDPOINT'] ?? '')
  const { put } = await mountBucket(admin, '/copies', { through: gate.url })
  await put('a.txt', 'A')
  for (let number = 0; number < OBJECTS; number += 1) await put(`many/${number}.txt`, String(number))
  await answerAtOnce(page, admin)
  const panel = page.getByRole('dialog', { name: 'Tasks' })
  await page.goto('/mount-explorer/copies')
  await choose(page, 'Copy', 'many')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('treeitem', { name: 'copies', exact: true })).toBeVisible()
  gate.hold()
  await dialog.getByRole('button', { name: 'Copy here' }).click()
  await expect(page.getByText('The server is copying them; see the tasks for progress')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: /^Tasks: 1 running/ }).click()
  await expect(panel.getByText(/many/).first()).toBeVisible()
  await panel.getByRole('button', { name: /^Cancel/ }).click()
  await expect.poll(() => findCopy(admin, 'cancelled')).toBeDefined()
  gate.open()
  // Whatever it would still do comes before the end of another copy.
  const items = [{ sourcePath: '/copies/a.txt', targetPath: '/copies/b.txt' }]
  await admin.call(fsTransferRoutes.batchCopy, { body: { items, conflict: 'skip', server: true } })
  expect((await findCopy(admin, 'cancelled'))?.progress.doneItems).toBeLessThan(OBJECTS)
  const query = { path: '/copies/many(1)/', refresh: true }
  const copied = await admin.call(fsListingRoutes.list, { query }).then(
    ({ data }) => data.items.length,
    () => 0,
  )
  expect(copied).toBeLessThan(OBJECTS)
  gate.close()
})
