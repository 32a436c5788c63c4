import { apiKeyRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { writeText } from './support/pages.ts'
import { expect, test } from './support/test.ts'

const told = (place: Page | Locator) =>
  place.getByRole('alert').filter({ hasText: 'Fix the highlighted fields' })

test('wrong options of a text move the focus to the first one, from a field and from the button', async ({
  adminPage: page,
}) => {
  await page.goto('/')
  await writeText(page, 'with wrong options')
  const suffix = page.getByLabel('Custom link')
  const limit = page.getByLabel('View limit')
  const create = page.getByRole('button', { name: 'Create share' })
  await suffix.fill('bad slug!')
  await limit.fill('abc')
  await expect(create).toBeEnabled()
  await limit.press('Enter')
  await expect(suffix).toBeFocused()
  await expect(limit).toHaveAccessibleDescription('Enter a whole number from 0 to 2,147,483,647')
  // The outline of the focused field has the color of the field's border, which shows the error.
  const colour = await suffix.evaluate((field) => getComputedStyle(field).borderColor)
  await expect(suffix).toHaveCSS('outline-color', colour)
  await expect(told(page)).toBeVisible()
  await expectAccessible(page, 'wrong options', { isOnPhoneToo: true })
  await suffix.fill('good-slug-of-it')
  await create.press('Enter')
  await expect(limit).toBeFocused()
  await limit.fill('3')
  await expect(told(page)).toHaveCount(0)
  await limit.press('Enter')
  await expect(page.getByRole('region', { name: 'Share created' })).toBeVisible()
})

test('so do the editor of a share and the forms of file shares', async ({
  adminPage: page,
  admin,
  server,
  adminToken,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, { body: { content: 'first' } })
  await page.goto(`/paste/${slug}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('View limit').fill('many')
  await page.getByLabel('Password', { exact: true }).selectOption('set')
  await save.click()
  await expect(page.getByLabel('View limit')).toBeFocused()
  await page.getByLabel('View limit').fill('9')
  await save.click()
  await expect(page.getByLabel('New password')).toBeFocused()
  await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/Enter the new password$/)
  await expect(told(page)).toBeVisible()
  await page.getByLabel('New password').fill('open sesame')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toContainText('first')

  const uploaded = await fetch(`${server.origin}/api/upload-direct/wrong.txt?slug=wrong-fields`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: 'a file',
  })
  expect(uploaded.status).toBe(200)
  await page.goto('/file/wrong-fields')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Custom link').fill('bad slug!')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Custom link')).toBeFocused()
  await expect(told(dialog)).toBeVisible()

  await page.goto('/upload')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'own.txt', mimeType: 'text/plain', buffer: Buffer.from('my own') })
  await expect(page.getByRole('region', { name: 'Files to upload' }).getByText('own.txt')).toBeVisible()
  await page.getByLabel('View limit').fill('abc')
  await page.getByLabel('Title').press('Enter')
  await expect(page.getByLabel('View limit')).toBeFocused()
  await expect(told(page)).toBeVisible()
})

test('a wrong password of a share is announced, whether or not its field has the focus', async ({
  page,
  admin,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, {
    body: { content: 'locked', password: 'open sesame' },
  })
  await page.goto(`/paste/${slug}`)
  const field = page.getByLabel('Password', { exact: true })
  const spoken = page.getByRole('main').getByRole('alert')
  await field.press('Enter')
  await expect(spoken).toHaveText('Enter the password')
  await field.fill('wrong')
  await field.press('Enter')
  await expect(spoken).toHaveText('The password is wrong')
  await expect(field).toBeFocused()
  await field.fill('wrong again')
  await page.getByRole('button', { name: 'Open', exact: true }).press('Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription('The password is wrong')
  await expect(spoken).toHaveCount(0)
})

for (const [address, open, create] of [
  ['/admin/key-management', 'Create key', 'Create key'],
  ['/admin/storage-config', 'Create storage', 'Create storage'],
  ['/admin/mount-management', 'Create mount', 'Create mount'],
] as const) {
  test(`a dialog of ${address} announces the error of a focused field`, async ({ adminPage: page }) => {
    await page.goto(address)
    await page.getByRole('button', { name: open }).first().click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByLabel('Name', { exact: true })
    await expect(name).toBeFocused()
    await name.press('Enter')
    await expect(name).toBeFocused()
    await expect(told(dialog)).toBeVisible()
    await expect(name).toHaveAccessibleDescription(/Enter a name/)
    await expect(dialog.getByRole('button', { name: create })).toBeEnabled()
  })
}

test('an error of the server about the focused field is announced', async ({ adminPage: page, admin }) => {
  await admin.call(apiKeyRoutes.create, { body: { name: 'taken', expires_at: 'never' } })
  await page.goto('/admin/key-management')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await name.fill('taken')
  await name.press('Enter')
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'An API key with this name already exists',
  )
  await expect(name).toBeFocused()
})

test('on a phone the label of the first wrong field and the title above it are visible', async ({
  adminPage: page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/admin/mount-management')
  await page.getByRole('button', { name: 'Create mount' }).first().click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Create mount' })
  await submit.scrollIntoViewIfNeeded()
  await submit.click()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 })
  await expect(dialog.getByText('Name', { exact: true })).toBeInViewport({ ratio: 1 })
})
