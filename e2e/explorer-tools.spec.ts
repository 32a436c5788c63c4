import { fsFileRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import type { Api } from './support/api.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'

async function makeFiles(admin: Api, folder: string, files: Record<string, string>): Promise<void> {
  await admin.call(fsFileRoutes.mkdir, { body: { path: `${folder}/` } })
  for (const [name, content] of Object.entries(files)) {
    const path = `${folder}/${name}`
    if (name.endsWith('/')) await admin.call(fsFileRoutes.mkdir, { body: { path } })
    else await admin.call(fsFileRoutes.update, { body: { path, content } })
  }
}

async function openMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('row').filter({ hasText: name }).click({ button: 'right' })
}

test('search finds a part of a name, shows its path, and opens the folder with the file', async ({
  adminPage: page,
  admin,
}) => {
  await makeFiles(admin, '/local/search', {
    '夏天的照片清单.txt': '一',
    'deep/': '',
    'deep/<b>Report 2030.md': '# Report of the year',
  })
  await page.goto('/mount-explorer/local/search')
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search files' })
  const field = dialog.getByRole('combobox')
  await expect(field).toBeFocused()
  await field.fill('r')
  await expect(dialog.getByText('Type at least 2 characters')).toBeVisible()
  await field.fill('照片')
  await expect(dialog.getByRole('option')).toHaveText(/夏天的照片清单\.txt/)
  await field.fill('<b>rep')
  await expect(dialog.getByRole('option')).toContainText('<b>Report 2030.md')
  await expect(dialog.locator('mark')).toHaveText('<b>Rep')
  await field.fill('no such file')
  await expect(dialog.getByText('No files match.')).toBeVisible()
  await field.fill('report')
  await expect(dialog.getByRole('option')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/mount-explorer\/local\/search\/deep\?preview=/)
  await expect(page.getByRole('heading', { name: 'Report of the year' })).toBeVisible()
  await page.goto('/mount-explorer/local/search')
  await page.getByRole('button', { name: 'Search files' }).click()
  await page.getByRole('button', { name: 'report', exact: true }).click()
  await expect(dialog.getByRole('option')).toHaveCount(1)
})

test('a file is shared without a copy, and the second time the same share is shown', async ({
  adminPage: page,
  admin,
}) => {
  await makeFiles(admin, '/local/sharing', { 'plan.txt': 'the plan' })
  await page.goto('/mount-explorer/local/sharing')
  await openMenu(page, 'plan.txt')
  await page.getByRole('menuitem', { name: 'Create share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Custom link').fill('shared-where-it-lies')
  await dialog.getByRole('button', { name: 'Create share' }).click()
  await expect(dialog.getByRole('link')).toHaveAttribute('href', /\/file\/shared-where-it-lies$/)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await openMenu(page, 'plan.txt')
  await page.getByRole('menuitem', { name: 'Create share' }).click()
  await dialog.getByRole('button', { name: 'Create share' }).click()
  await expect(dialog.getByRole('heading')).toHaveText('plan.txt is already shared')
  await page.goto('/file/shared-where-it-lies')
  await expect(page.getByText('the plan')).toBeVisible()
})

test.describe('on a phone, in Chinese', () => {
  test.use({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' })

  test('search and basket fit the screen', async ({ adminPage: page, admin }) => {
    await makeFiles(admin, '/local/手机搜索', { '一个名字特别特别特别特别特别特别长的文件.txt': '一' })
    await page.goto(`/mount-explorer/local/${encodeURIComponent('手机搜索')}`)
    await page.getByRole('button', { name: '搜索文件' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('特别长')
    await expect(page.getByRole('dialog').getByRole('option')).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.getByRole('button', { name: /放入文件篮/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '文件篮，1 项' }).click()
    await expect(page.getByRole('dialog').getByText('共 1 项')).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
  })
})
