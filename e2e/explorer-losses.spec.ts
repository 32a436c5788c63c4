import { authRoutes, fsFileRoutes, fsTransferRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { type Api, logIn } from './support/api.ts'
import { ADMIN_PASSWORD, expect, test } from './support/test.ts'

/** Tests that the explorer loses neither files nor typed text. Also tests addresses that do not exist. */

async function makeFile(admin: Api, path: string, content: string): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  await admin.call(fsFileRoutes.mkdir, { body: { path: folder } }).catch(() => undefined)
  await admin.call(fsFileRoutes.update, { body: { path, content } })
}

const textAt = async (admin: Api, path: string): Promise<string | null> => {
  try {
    const { data } = await admin.call(fsFileRoutes.get, { query: { path } })
    return await (await fetch(data.preview_url ?? '')).text()
  } catch {
    return null
  }
}

async function openEditor(page: Page, folder: string, name: string) {
  await page.goto(`/mount-explorer${folder}?preview=${name}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const field = page.locator('.cm-content')
  await expect(field).toBeVisible()
  return field
}

async function type(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(text)
  await expect(page.getByText('Unsaved changes')).toBeVisible()
}

test('a file uploaded during the undo time of a removal stays', async ({ adminPage: page, admin }) => {
  await makeFile(admin, '/local/losses-undo/one.txt', 'old')
  await page.clock.install()
  const removals: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/batch-remove')) removals.push(request.url())
  })
  await page.goto('/mount-explorer/local/losses-undo')
  await page.getByRole('row').filter({ hasText: 'one.txt' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: /Upload to/ })
  const file = { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('new') }
  await dialog.getByLabel('Choose files').last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('1 file uploaded')).toBeVisible()
  await page.clock.runFor(60_000)
  expect(await textAt(admin, '/local/losses-undo/one.txt')).toBe('new')
  expect(removals).toHaveLength(1)
})

test('a session that ends during editing loses no text', async ({ page, admin, baseURL }) => {
  await makeFile(admin, '/local/losses-session/a.txt', 'first')
  const token = await logIn(baseURL ?? '', ADMIN_PASSWORD)
  await page.goto(`${baseURL}/api/health`)
  await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
  await openEditor(page, '/local/losses-session', 'a.txt')
  await type(page, ' and what was typed')
  await admin.withToken(token).call(authRoutes.logout)
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: 'Please log in again' }).getByText('Discard and leave').click()
  await expect(page.getByText(/Unsaved changes to “a.txt” are kept/)).toBeVisible()
  const again = await logIn(baseURL ?? '', ADMIN_PASSWORD)
  await page.evaluate((value) => localStorage.setItem('admin_token', value), again)
  await openEditor(page, '/local/losses-session', 'a.txt')
  await expect(page.getByText('Your unsaved changes from last time were restored.')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await textAt(admin, '/local/losses-session/a.txt')).toBe('first and what was typed')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await openEditor(page, '/local/losses-session', 'a.txt')
  await expect(page.getByText('were restored')).toBeHidden()
})

test('a session that ends during editing is renewed over the editor', async ({ page, admin, baseURL }) => {
  await makeFile(admin, '/local/losses-again/a.txt', 'first')
  const token = await logIn(baseURL ?? '', ADMIN_PASSWORD)
  await page.goto(`${baseURL}/api/health`)
  await page.evaluate((value) => localStorage.setItem('admin_token', value), token)
  await openEditor(page, '/local/losses-again', 'a.txt')
  await type(page, ' and what was typed')
  await admin.withToken(token).call(authRoutes.logout)
  await page.keyboard.press('Control+s')
  const login = page.getByRole('dialog', { name: 'Please log in again' })
  await login.getByLabel('Username').fill('admin')
  await login.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
  await login.getByRole('button', { name: 'Log in' }).click()
  await expect(login).toBeHidden()
  await type(page, ' and more')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByText(/session has/)).toHaveCount(0)
  expect(await textAt(admin, '/local/losses-again/a.txt')).toBe('first and what was typed and more')
})

test('a file deleted during editing can be saved again', async ({ adminPage: page, admin }) => {
  await makeFile(admin, '/local/losses-gone/a.txt', 'first')
  await openEditor(page, '/local/losses-gone', 'a.txt')
  await type(page, ' and more')
  await admin.call(fsTransferRoutes.batchRemove, { body: { paths: ['/local/losses-gone/a.txt'] } })
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'This file was deleted' })
  await dialog.getByRole('button', { name: 'Save the file again' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect(await textAt(admin, '/local/losses-gone/a.txt')).toBe('first and more')
})

test('unknown addresses show a message, and hostile ones do no harm', async ({ adminPage: page }) => {
  await page.goto('/mount-explorer/no-such-mount')
  await expect(page.getByText('There is no folder here')).toBeVisible()
  await page.goto(`/mount-explorer/local?preview=${encodeURIComponent('{"a":1}')}&sort=foo&order=bar`)
  await expect(page.getByRole('toolbar', { name: 'Folder tools' })).toBeVisible()
  await expect(page).toHaveURL(/\/mount-explorer\/local$/)
})

test('the address of a missing file, or of a folder, redirects', async ({ adminPage: page, admin }) => {
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/losses-address/' } })
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/losses-address/inner/' } })
  await page.goto('/mount-explorer/local/losses-address?preview=missing.txt')
  await page.getByRole('button', { name: 'Back to the folder' }).click()
  await expect(page).toHaveURL(/losses-address$/)
  await expect(page.getByRole('row').filter({ hasText: 'inner' })).toBeVisible()
  await page.goto('/mount-explorer/local/losses-address?preview=inner')
  await page.getByRole('button', { name: 'Open the folder' }).click()
  await expect(page).toHaveURL(/losses-address\/inner$/)
  await expect(page.getByText('This folder is empty')).toBeVisible()
})
