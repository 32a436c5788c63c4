import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fsFileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { expect, test } from './support/test.ts'

/** Creates a folder with a few files for one test. */
async function makeFiles(admin: Api, name: string, files: Record<string, string> = {}) {
  const folder = `/local/${name}`
  await admin.call(fsFileRoutes.mkdir, { body: { path: `${folder}/` } })
  for (const [file, content] of Object.entries(files)) {
    const path = `${folder}/${file}`
    if (file.endsWith('/')) await admin.call(fsFileRoutes.mkdir, { body: { path } })
    else await admin.call(fsFileRoutes.update, { body: { path, content } })
  }
  return folder
}

const exists = (admin: Api, path: string) =>
  admin.call(fsFileRoutes.get, { query: { path } }).then(
    () => true,
    () => false,
  )

const grid = (page: Page) => page.getByRole('grid')
const row = (page: Page, name: string) =>
  page.getByRole('row', { name, exact: false }).filter({ hasText: name })

test.describe('on a desktop', () => {
  test.use({ locale: 'en-US' })

  test('names with any characters have an address', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, '100%25 #报告?', { 'x%20y&z.txt': 'strange' })
    await page.goto('/mount-explorer/local')
    await page.getByRole('link', { name: '100%25 #报告?' }).click()
    await page.getByRole('link', { name: 'x%20y&z.txt' }).click()
    await expect(page.getByText('strange')).toBeVisible()
    await page.reload()
    await expect(page.getByText('strange')).toBeVisible()
    expect(await exists(admin, `${folder}/x%20y&z.txt`)).toBe(true)
  })

  test('a deletion is sent when its undo time ends', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, 'gone', { 'a.txt': 'A', 'b.txt': 'B' })
    await page.goto('/mount-explorer/local/gone')
    await row(page, 'a.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'a.txt')).toHaveCount(0)
    expect(await exists(admin, `${folder}/a.txt`)).toBe(true)
    await expect.poll(() => exists(admin, `${folder}/a.txt`)).toBe(false)
    await expect(row(page, 'b.txt')).toBeVisible()
    await expect(row(page, 'a.txt')).toHaveCount(0)
  })

  test('a deletion is also sent when the page is left', async ({ adminPage: page, admin }) => {
    const folder = await makeFiles(admin, 'left', { 'a.txt': 'A', 'b.txt': 'B' })
    await page.goto('/mount-explorer/local/left')
    await row(page, 'a.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, 'a.txt')).toHaveCount(0)
    await page.close()
    await expect.poll(() => exists(admin, `${folder}/a.txt`)).toBe(false)
    expect(await exists(admin, `${folder}/b.txt`)).toBe(true)
  })
})

test('a folder of 20,000 files opens at once, and is rendered in part', async ({
  adminPage: page,
  server,
}) => {
  const folder = path.join(server.dataDirectory, 'storage', 'local', 'crowd', 'many')
  await mkdir(folder, { recursive: true })
  for (let start = 0; start < 20_000; start += 500) {
    const numbers = Array.from({ length: 500 }, (_, index) => start + index)
    await Promise.all(
      numbers.map((number) =>
        writeFile(path.join(folder, `file-${String(number).padStart(5, '0')}.txt`), ''),
      ),
    )
  }
  await page.goto('/mount-explorer/local/crowd')
  // Refreshes, because the folder was created directly on the disk and the server's cached listing does not contain it.
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('link', { name: 'many', exact: true }).click()
  await expect(row(page, 'file-00000.txt')).toBeVisible()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '20000', { timeout: 60_000 })
  await grid(page).focus()
  await page.keyboard.press('End')
  await expect(row(page, 'file-19999.txt')).toBeVisible()
  expect(await page.getByRole('row').count()).toBeLessThan(400)
  await page.keyboard.press('Shift+Home')
  await expect(page.getByText('20,000 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('19998')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1')
})

test('dropped files and folders are uploaded to the drop target', async ({ adminPage: page, admin }) => {
  const folder = await makeFiles(admin, 'drops', { 'inner/': '' })
  await page.goto('/mount-explorer/local/drops')
  await expect(row(page, 'inner')).toBeVisible()
  const dropOn = async (target: string, name: string) => {
    const data = await page.evaluateHandle((fileName) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], fileName, { type: 'text/plain' }))
      return transfer
    }, name)
    await page.locator(target).dispatchEvent('dragover', { dataTransfer: data })
    await expect(page.getByText('Drop to upload to')).toBeVisible()
    await page.locator(target).dispatchEvent('drop', { dataTransfer: data })
    await expect(page.getByText('Drop to upload to')).toHaveCount(0)
  }
  await dropOn('[role="grid"]', 'here.txt')
  await expect(row(page, 'here.txt')).toBeVisible()
  await dropOn('[data-drop-path$="/inner/"]', 'there.txt')
  await expect.poll(() => exists(admin, `${folder}/inner/there.txt`)).toBe(true)
  expect(await exists(admin, `${folder}/there.txt`)).toBe(false)
})
