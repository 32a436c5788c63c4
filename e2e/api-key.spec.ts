import { apiKeyRoutes } from '@dropleaf/contract'
import { logInWithKey, publish, writeText } from './support/pages.ts'
import { expect, test } from './support/test.ts'

const NO_RIGHTS = {
  expires_at: 'never',
  text_permission: false,
  file_permission: false,
  mount_permission: false,
  mount_read_only: false,
}

test('a key for texts shares texts, sees its permissions, and gets a message about files', async ({
  admin,
  page,
}) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { ...NO_RIGHTS, name: 'Only texts', text_permission: true },
  })
  await logInWithKey(page, data.key)

  await expect(page.getByRole('main').getByText('Only texts')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Text shares')
  await expect(page.getByRole('main')).not.toContainText('File shares')

  await page.getByRole('link', { name: 'Home' }).click()
  await writeText(page, 'from a script')
  await page.goto(await publish(page))
  await expect(page.getByText('from a script')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()

  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('This API key has no file permission')).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveCount(0)
})

test('a key without permissions is sent to the home page, gets a message there, and can log out', async ({
  admin,
  page,
}) => {
  const { data } = await admin.call(apiKeyRoutes.create, { body: { ...NO_RIGHTS, name: 'Nothing' } })
  await page.goto('/')
  await page.evaluate((key) => localStorage.setItem('api_key', key), data.key)
  await page.goto('/upload')
  await expect(page.getByText('This API key has no permissions')).toBeVisible()
  await page.goto('/admin')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('This API key has no permissions')).toBeVisible()
  await page.getByRole('link', { name: 'Switch account' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('a visitor without permission is offered the login, and returns afterwards', async ({ page }) => {
  await page.goto('/upload')
  await expect(page.getByText('Log in to upload files.')).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/admin\?from=%2Fupload$/)
})

test('deleting a key ends its session', async ({ admin, page }) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { ...NO_RIGHTS, name: 'Short lived', text_permission: true },
  })
  await logInWithKey(page, data.key)
  await expect(page.getByRole('main').getByText('Short lived')).toBeVisible()
  // Leaves the page, because the next request of the page would end the session too early.
  await page.goto('about:blank')
  await admin.call(apiKeyRoutes.remove, { params: { id: data.id } })
  await page.goto('/admin')
  await expect(page.getByText('The API key is invalid or expired')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('api_key'))).toBeNull()
})

test('a key for files uploads, edits and deletes its own files only', async ({ admin, page, server }) => {
  const create = (name: string) =>
    admin.call(apiKeyRoutes.create, { body: { ...NO_RIGHTS, name, file_permission: true } })
  const [mine, other] = [(await create('Mine')).data, (await create('Other')).data]
  const upload = await fetch(`${server.origin}/api/upload-direct/theirs.txt?slug=theirs`, {
    method: 'PUT',
    headers: { authorization: `ApiKey ${other.key}` },
    body: 'not yours',
  })
  expect(upload.status).toBe(200)

  await logInWithKey(page, mine.key)
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'own.txt', mimeType: 'text/plain', buffer: Buffer.from('my own') })
  await page.getByLabel('Custom link').fill('own')
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('/file/own')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent uploads' })).not.toContainText('theirs.txt')

  await page.goto('/file/own')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('edited by its key')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('article')).toContainText('edited by its key')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('heading', { name: 'The file was deleted' })).toBeVisible()

  await page.goto('/file/theirs')
  await expect(page.getByText('not yours')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
})
