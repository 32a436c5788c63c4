import { apiKeyRoutes } from '@dropleaf/contract'
import { publish, writeText } from './support/pages.ts'
import { expect, test } from './support/test.ts'

const NO_RIGHTS = {
  expires_at: 'never',
  text_permission: false,
  file_permission: false,
  mount_permission: false,
  mount_read_only: false,
}

test('a key for texts alone shares texts, sees what it may do, and is told that files are not for it', async ({
  admin,
  page,
}) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { ...NO_RIGHTS, name: 'Only texts', text_permission: true },
  })
  await page.goto('/admin')
  await page.getByText('API key', { exact: true }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill(data.key)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()

  await expect(page.getByRole('heading', { name: 'Only texts' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Text shares')
  await expect(page.getByRole('main')).not.toContainText('File shares')

  await page.getByRole('link', { name: 'Home' }).click()
  await writeText(page, 'from a script')
  await page.goto(await publish(page))
  await expect(page.getByText('from a script')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()

  await page.getByRole('link', { name: 'Upload' }).click()
  await expect(page.getByText('This API key has no file permission')).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveCount(0)
})

test('a visitor is offered to log in where a permission is missing, and comes back after it', async ({
  page,
}) => {
  await page.goto('/upload')
  await expect(page.getByText('Log in to upload files.')).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/admin\?from=%2Fupload$/)
})

test('a key that the administrator has deleted ends its session', async ({ admin, page }) => {
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { ...NO_RIGHTS, name: 'Short lived', text_permission: true },
  })
  await page.goto('/admin')
  await page.getByText('API key', { exact: true }).click()
  await page.getByRole('textbox', { name: 'API key' }).fill(data.key)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Short lived' })).toBeVisible()
  await admin.call(apiKeyRoutes.remove, { params: { id: data.id } })
  await page.reload()
  await expect(page.getByText('The API key is invalid or expired')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('api_key'))).toBeNull()
})
