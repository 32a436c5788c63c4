import { fsListingRoutes, fsTransferRoutes, type Task, taskRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { hasBuckets, mountBucket } from './support/bucket.ts'
import { startGate } from './support/gate.ts'
import { expect, test } from './support/test.ts'

/** Tests copies within a bucket. A proxy holds back the copy requests. */

test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function choose(page: Page, action: string, name: string): Promise<void> {
  await row(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const OBJECTS = 20

/**
 * Answers a copy request immediately with the running task. The server itself answers like this only after a while.
 */
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

test('a long copy continues after a reload, and stops when it is cancelled', async ({
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
  await expect(page.getByText('The server is copying the items. See “Tasks” for progress')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: /^Tasks: 1 running/ }).click()
  await expect(panel.getByText(/many/).first()).toBeVisible()
  await panel.getByRole('button', { name: /^Cancel/ }).click()
  await expect.poll(() => findCopy(admin, 'cancelled')).toBeDefined()
  gate.open()
  // Waits for another copy, so that the canceled copy has enough time to continue by mistake.
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
