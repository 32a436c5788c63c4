import { fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

/** Returns the live region that announces page titles. */
const saidOf = (page: Page) => page.locator('#root > output').filter({ hasText: /\S/ })

test('a preview over its folder sets the page title, and restores it', async ({ adminPage: page, admin }) => {
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/titles/' } })
  await admin.call(fsFileRoutes.update, { body: { path: '/local/titles/b.txt', content: 'b' } })
  await admin.call(fsFileRoutes.update, { body: { path: '/local/titles/c.txt', content: 'c' } })
  await page.goto('/mount-explorer/local/titles?preview=b.txt')
  await expect(page).toHaveTitle('b.txt - Dropleaf')
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(page).toHaveTitle('c.txt - Dropleaf')
  await page.keyboard.press('Escape')
  await expect(page).toHaveTitle('titles - Dropleaf')
  await page.getByRole('link', { name: 'b.txt' }).click()
  await expect(page).toHaveTitle('b.txt - Dropleaf')
  await page.goBack()
  await expect(page).toHaveTitle('titles - Dropleaf')
})

test('the explorer and the list of shared files have different titles', async ({ adminPage: page }) => {
  await page.goto('/mount-explorer')
  await expect(page).toHaveTitle('Files - Dropleaf')
  await page.goto('/admin/file-management')
  await expect(page).toHaveTitle('Files · Admin - Dropleaf')
})

test('a page opened by a link is announced once, unless it moves the focus itself', async ({
  adminPage: page,
  admin,
}) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Create share' })).toBeEnabled()
  await expect(saidOf(page)).toHaveCount(0)
  const header = page.getByRole('navigation', { name: 'Main navigation' })
  await header.getByRole('link', { name: 'Upload' }).press('Enter')
  await expect(saidOf(page)).toHaveText('Upload files')
  await header.getByRole('link', { name: 'Admin' }).press('Enter')
  await expect(saidOf(page)).toHaveText('Dashboard · Admin')
  const modules = page.getByRole('navigation', { name: 'Admin modules' })
  await modules.getByRole('link', { name: 'Settings' }).press('Enter')
  await expect(saidOf(page)).toHaveText('Settings · Admin')
  await page.goBack()
  await expect(saidOf(page)).toHaveText('Dashboard · Admin')
  await page.goForward()
  await expect(saidOf(page)).toHaveText('Settings · Admin')
  // Both pages have the same title. The live region must announce it again.
  for (const slug of ['twin-one', 'twin-two']) {
    await admin.call(pasteRoutes.create, { body: { content: slug, slug, remark: 'Twins' } })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(slug)
    await page
      .getByRole('option')
      .filter({ hasText: `/${slug}` })
      .click()
    await expect(page).toHaveURL(new RegExp(slug))
    if (slug === 'twin-two') await expect(saidOf(page)).toHaveCount(0)
    await expect(saidOf(page)).toHaveText('Twins')
  }

  // The folder receives the focus and announces itself, so the live region stays silent.
  for (const path of ['/local/titles-of/', '/local/titles-of/inner/'])
    await admin.call(fsFileRoutes.mkdir, { body: { path } })
  await admin.call(fsFileRoutes.update, { body: { path: '/local/titles-of/inner/a.txt', content: 'a' } })
  await page.clock.install()
  await page.goto('/mount-explorer/local/titles-of')
  await page.getByRole('link', { name: 'inner' }).waitFor()
  const grid = page.getByRole('grid')
  await grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle(/inner/)
  await expect(grid).toBeFocused()
  await page.clock.runFor(60_000)
  await expect(saidOf(page)).toHaveCount(0)
})

test('a file and a text without a title are named for screen readers', async ({
  page,
  admin,
  server,
  adminToken,
}) => {
  const { slug } = await admin.call(pasteRoutes.create, {
    body: { content: 'no title', content_type: 'text/plain' },
  })
  await page.goto(`/paste/${slug}`)
  await expect(page.getByRole('article', { name: 'Text share' })).toBeVisible()
  const uploaded = await fetch(`${server.origin}/api/upload-direct/named.txt?slug=named-article`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}` },
    body: 'a file',
  })
  expect(uploaded.status).toBe(200)
  await page.goto('/file/named-article')
  await expect(page.getByRole('article', { name: 'named.txt' })).toBeVisible()
})
