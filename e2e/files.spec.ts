import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileRoutes } from '@dropleaf/contract'
import { expect, test } from './support/test.ts'

const MIB = 1024 * 1024
const FILE_BYTES = 20 * MIB

const hashOf = async (file: string) => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Writes non-repeating bytes, identical in every run. */
async function makeFile(file: string, sizeBytes: number) {
  const handle = await open(file, 'w')
  let block = createHash('sha512').update('dropleaf').digest()
  for (let written = 0; written < sizeBytes; written += MIB) {
    const parts = Array.from({ length: MIB / block.length }, () => {
      block = createHash('sha512').update(block).digest()
      return block
    })
    await handle.write(Buffer.concat(parts))
  }
  await handle.close()
}

test('a large file is uploaded and downloaded completely', async ({ browser, adminPage: page }, testInfo) => {
  const source = path.join(tmpdir(), `dropleaf-${testInfo.workerIndex}-${Date.now()}.bin`)
  await makeFile(source, FILE_BYTES)
  const expected = await hashOf(source)
  try {
    await page.goto('/upload')
    await page.locator('input[type=file]').setInputFiles(source)
    await page.getByLabel('Title').fill('The big one')
    await page.getByLabel('Password', { exact: true }).fill('hold on')
    await page.getByRole('button', { name: 'Start upload' }).click()
    const row = page.getByRole('region', { name: 'Files to upload' }).getByRole('listitem')
    await expect(row).toHaveAttribute('data-status', 'success', { timeout: 45_000 })
    const address = (await row.getByRole('link').getAttribute('href')) ?? ''
    // The upload is complete, so the form no longer contains the values of this share.
    await expect(page.getByLabel('Title')).toHaveValue('')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await expect(page.getByRole('region', { name: 'Recent uploads' })).toContainText('The big one')

    const context = await browser.newContext({ acceptDownloads: true })
    const visitor = await context.newPage()
    await visitor.goto(address)
    await visitor.getByLabel('Password', { exact: true }).fill('nonsense')
    await visitor.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(visitor.getByText('The password is wrong')).toBeVisible()
    await visitor.getByLabel('Password', { exact: true }).fill('hold on')
    await visitor.getByRole('button', { name: 'Open', exact: true }).click()
    const download = visitor.waitForEvent('download')
    await visitor.getByRole('link', { name: 'Download' }).click()
    expect(await hashOf(await (await download).path())).toBe(expected)
    expect(visitor.url()).not.toContain('hold')
    await context.close()
  } finally {
    await rm(source, { force: true })
  }
})

test('opening a file share takes one view, and its preview takes none', async ({
  admin,
  browser,
  adminPage: page,
  server,
}) => {
  await page.goto('/upload')
  await page.locator('input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('remember the milk'),
  })
  await page.getByLabel('View limit').fill('2')
  await page.getByLabel('Opening').selectOption({ label: 'Open directly' })
  await page.getByLabel('Custom link').fill('two-views')
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('/file/two-views')).toBeVisible()

  const context = await browser.newContext()
  const visitor = await context.newPage()
  for (const left of ['1', 'This was the last view']) {
    await visitor.goto(`${server.origin}/file/two-views`)
    await expect(visitor.getByText('remember the milk')).toBeVisible()
    await expect(
      visitor.getByText(createHash('sha256').update('remember the milk').digest('hex')),
    ).toBeVisible()
    await expect(visitor.getByRole('region', { name: 'Details' })).toContainText(left)
  }
  const { data } = await admin.call(fileRoutes.adminList, {
    query: { limit: 50, offset: 0, created_by: null, s3_config_id: null },
  })
  expect(data.files.find(({ slug }) => slug === 'two-views')).toMatchObject({ views: 2, max_views: 2 })
  await visitor.goto(`${server.origin}/file/two-views`)
  await expect(visitor.getByRole('heading', { name: 'This file has no views left' })).toBeVisible()
  await context.close()
})

test('a file that is too large is rejected by name; dropped and pasted files are accepted', async ({
  adminPage: page,
}) => {
  await page.route('**/api/system/max-upload-size', (route) =>
    route.fulfill({ json: { code: 200, message: '', success: true, data: { max_upload_size: 1 } } }),
  )
  await page.goto('/upload')
  await expect(page.getByText('up to 1 MB each')).toBeVisible()
  await page.locator('input[type=file]').setInputFiles([
    { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(MIB + 1) },
  ])
  await expect(page.getByRole('alert')).toContainText('large.txt')
  await page.evaluate(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt'))
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }))
    const clipboard = new DataTransfer()
    clipboard.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
    window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: clipboard, cancelable: true }))
  })
  const rows = page.getByRole('region', { name: 'Files to upload' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('small.txt')
  await expect(rows.nth(1)).toContainText('dropped.txt')
  await expect(rows.nth(2)).toContainText(/screenshot-\d{8}-\d{6}\.png/)
})

test('a cancelled upload leaves no reservation, and can be retried', async ({ admin, adminPage: page }) => {
  await page.goto('/upload')
  let isHeld = true
  await page.route('**/api/storage/**', async (route) => {
    // If the upload is held, the request stays pending until the page aborts it.
    if (!isHeld) await route.continue()
  })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('s') })
  await page.getByLabel('Custom link').fill('slow-file')
  await page.getByRole('button', { name: 'Start upload' }).click()
  const removed = page.waitForResponse(/\/files\/batch-delete$/)
  await page.getByRole('button', { name: 'Cancel the upload of “slow.txt”' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'slow.txt' })).toContainText('Canceled')
  expect((await removed).ok()).toBe(true)
  const { data } = await admin.call(fileRoutes.adminList, {
    query: { limit: 50, offset: 0, created_by: null, s3_config_id: null },
  })
  expect(data.files.map(({ slug }) => slug)).not.toContain('slow-file')

  isHeld = false
  await page.getByRole('button', { name: 'Upload “slow.txt” again' }).click()
  await expect(page.getByText('/file/slow-file')).toBeVisible()
})

test('the owner edits and deletes a file from its page', async ({ adminPage: page }) => {
  await page.goto('/upload')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'plan.md', mimeType: '', buffer: Buffer.from('# The plan') })
  await page.getByLabel('Custom link').fill('the-plan')
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('/file/the-plan')).toBeVisible()
  await page.goto('/file/the-plan')
  await expect(page.getByRole('heading', { name: 'The plan' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('For next year')
  await dialog.getByLabel('Custom link').fill('new-plan')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/file\/new-plan$/)
  await expect(page.getByText('For next year')).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'The file was deleted' })).toBeVisible()
  await page.goto('/file/new-plan')
  await expect(page.getByRole('heading', { name: 'This file was not found' })).toBeVisible()
})
