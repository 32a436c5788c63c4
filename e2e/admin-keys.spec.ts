import { readFile } from 'node:fs/promises'
import { apiKeyRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { keys as englishKeys } from '../apps/web/src/locales/en-US/admin/keys.ts'
import { common as englishCommon } from '../apps/web/src/locales/en-US/common.ts'
import { keys as chineseKeys } from '../apps/web/src/locales/zh-CN/admin/keys.ts'
import { common as chineseCommon } from '../apps/web/src/locales/zh-CN/common.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { inTurn } from './support/worlds.ts'

for (const { language, words, cancel, viewport } of inTurn('keys', [
  {
    language: 'en-US',
    words: englishKeys,
    cancel: englishCommon.cancel,
    viewport: { width: 1280, height: 900 },
  },
  {
    language: 'zh-CN',
    words: chineseKeys,
    cancel: chineseCommon.cancel,
    viewport: { width: 360, height: 740 },
  },
])) {
  test.describe(`API keys in ${language}, ${viewport.width} px wide`, () => {
    test.use({ viewport, locale: language })
    const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
    const dialog = (page: Page) => page.getByRole('dialog')
    const open = async (page: Page) => {
      await page.goto('/admin/key-management')
      await expect(page.getByRole('button', { name: words.create }).first()).toBeVisible()
    }

    test('a key provides settings for programs, within its permissions', async ({
      adminPage: page,
      admin,
    }) => {
      const name = `Programs ${viewport.width}`
      const { data } = await admin.call(apiKeyRoutes.create, {
        body: { name, expires_at: 'never', file_permission: true },
      })
      await open(page)
      const menu = row(page, name).getByRole('button', {
        name: words.programs.of.replace('{{name}}', name),
      })
      await menu.click()
      await expect(page.getByRole('menuitem')).toHaveText([
        words.programs.sharexFiles,
        words.programs.picgo,
        words.programs.upic,
      ])
      const saved = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: words.programs.sharexFiles }).click()
      const download = await saved
      expect(download.suggestedFilename()).toMatch(/^dropleaf-.+\.sxcu$/)
      const profile = JSON.parse(await readFile(await download.path(), 'utf8'))
      expect(profile).toMatchObject({
        RequestURL: new URL('/api/upload', page.url()).href,
        Headers: { Authorization: `ApiKey ${data.key}` },
      })
      await expect(page.getByText(words.programs.saved)).toBeVisible()
      expect(await isWiderThanScreen(page)).toBe(false)
      const none = await admin.call(apiKeyRoutes.create, {
        body: { name: `Nothing ${viewport.width}`, expires_at: 'never', mount_permission: true },
      })
      await page.reload()
      await expect(row(page, none.data.name)).toBeVisible()
      await expect(row(page, none.data.name).getByRole('button', { name: /programs?|软件/i })).toHaveCount(0)
    })

    test('a key is created, copied, changed and deleted', async ({ adminPage: page, admin, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const name = `Camera ${viewport.width}`
      await open(page)
      await page.getByRole('button', { name: words.create }).first().click()
      await dialog(page).getByLabel(words.name).fill(name)
      await dialog(page).getByLabel(words.customKey).fill(`camera-${viewport.width}`)
      await dialog(page).getByLabel(words.expires).selectOption(words.expiry.never)
      await dialog(page).getByLabel(words.text).uncheck()
      await dialog(page).getByLabel(words.file).uncheck()
      await dialog(page).getByRole('button', { name: words.create }).click()
      await expect(dialog(page).getByLabel(words.text)).toBeFocused()
      await expect(dialog(page)).toContainText(words.noneChosen)
      await dialog(page).getByLabel(words.file).check()
      await dialog(page).getByLabel(words.mount, { exact: true }).check()
      await dialog(page).getByLabel(words.readOnly, { exact: true }).check()
      await dialog(page).getByLabel(words.basePath).fill('/photos/2026')
      await dialog(page).getByRole('button', { name: words.create }).click()
      await expect(page.getByText(words.createdAndCopied)).toBeVisible()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`camera-${viewport.width}`)

      const made = (await admin.call(apiKeyRoutes.list)).data.find((key) => key.name === name)
      expect(made).toMatchObject({
        text_permission: 0,
        file_permission: 1,
        mount_permission: 1,
        mount_read_only: 1,
        basic_path: '/photos/2026',
        expires_at: expect.stringMatching(/^9999/),
      })
      await expect(row(page, name)).toContainText(words.mountReadOnly)
      await expect(row(page, name)).toContainText(words.expiry.never)

      await row(page, name)
        .getByRole('button', { name: words.editOf.replace('{{name}}', name) })
        .click()
      await expect(dialog(page).getByLabel(words.expires)).toHaveValue('keep')
      await dialog(page).getByLabel(words.text).check()
      await dialog(page).locator('button[type=submit]').click()
      await expect(page.getByText(words.saved)).toBeVisible()
      await expect(row(page, name)).toContainText(words.text)

      await row(page, name)
        .getByRole('button', { name: words.deleteOf.replace('{{name}}', name) })
        .click()
      await expect(dialog(page)).toContainText(name)
      await expect(dialog(page)).toContainText(words.deleteText_one)
      await dialog(page).getByRole('button', { name: words.delete }).click()
      await expect(row(page, name)).toHaveCount(0)
      const left = (await admin.call(apiKeyRoutes.list)).data.map((key) => key.name)
      expect(left).not.toContain(name)
      expect(await isWiderThanScreen(page)).toBe(false)
    })

    test('a button does not move away while it is pressed with an empty field', async ({
      adminPage: page,
    }) => {
      await open(page)
      await page.getByRole('button', { name: words.create }).first().click()
      await expect(dialog(page).getByLabel(words.name)).toBeFocused()
      // Clicks the edge of the button. If an error message above moved the button, the click would miss.
      await dialog(page)
        .getByRole('button', { name: cancel })
        .click({ position: { x: 8, y: 2 } })
      await expect(dialog(page)).toHaveCount(0)
    })

    test('errors appear at their field, and typed text stays', async ({ adminPage: page, admin }) => {
      const taken = `Taken ${viewport.width}`
      const body = { name: taken, expires_at: 'never', custom_key: `taken-${viewport.width}` }
      await admin.call(apiKeyRoutes.create, {
        body: {
          ...body,
          text_permission: true,
          file_permission: null,
          mount_permission: null,
          mount_read_only: null,
        },
      })
      await open(page)
      await page.getByRole('button', { name: words.create }).first().click()
      await dialog(page).getByRole('button', { name: words.create }).click()
      await expect(dialog(page).getByText(words.problems.name.missing)).toBeVisible()
      await dialog(page).getByLabel(words.customKey).fill('with space')
      await dialog(page).getByLabel(words.name).fill(taken)
      await expect(dialog(page).getByText(words.problems.key.characters, { exact: true })).toBeVisible()
      await dialog(page).getByLabel(words.expires).selectOption('custom')
      for (const days of ['0', '1.5', '4000', 'x']) {
        await dialog(page).getByLabel(words.customDays).fill(days)
        await dialog(page).getByLabel(words.customDays).blur()
        await expect(dialog(page).getByText(words.problems.days.replace('{{max}}', '3,650'))).toBeVisible()
      }
      await dialog(page).getByLabel(words.customDays).fill('45')
      await dialog(page).getByLabel(words.mount, { exact: true }).check()
      await dialog(page).getByLabel(words.basePath).fill('photos')
      await dialog(page).getByLabel(words.basePath).blur()
      await expect(dialog(page).getByText(words.problems.path.notAbsolute)).toBeVisible()
      await dialog(page).getByLabel(words.basePath).fill('/photos')
      await dialog(page).getByLabel(words.customKey).fill(`fresh-${viewport.width}`)
      await dialog(page).getByRole('button', { name: words.create }).click()
      // The server reports that the name is already taken.
      await expect(dialog(page).getByLabel(words.name)).toHaveAttribute('aria-invalid', 'true')
      await expect(dialog(page).getByLabel(words.customKey)).toHaveValue(`fresh-${viewport.width}`)
      await expect(dialog(page).getByLabel(words.basePath)).toHaveValue('/photos')
    })
  })
}

test('many keys are searched, sorted, paged and deleted together; the address contains the view', async ({
  adminPage: page,
  admin,
}) => {
  for (let number = 1; number <= 12; number += 1) {
    await admin.call(apiKeyRoutes.create, {
      body: {
        name: `Batch ${number}`,
        expires_at: 'never',
        text_permission: true,
        file_permission: null,
        mount_permission: null,
        mount_read_only: null,
      },
    })
  }
  await admin.call(apiKeyRoutes.create, { body: { name: 'Another', text_permission: true } })
  await page.goto('/admin/key-management?q=batch&size=10&sortBy=name&order=asc')
  const names = page.getByRole('row').locator('td[data-title]')
  await expect(names).toHaveText([
    'Batch 1',
    'Batch 2',
    'Batch 3',
    'Batch 4',
    'Batch 5',
    'Batch 6',
    'Batch 7',
    'Batch 8',
    'Batch 9',
    'Batch 10',
  ])
  await page.getByRole('checkbox', { name: 'Select “Batch 2”' }).check()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(names).toHaveText(['Batch 11', 'Batch 12'])
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(page.getByText('3 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Select all 12 that match' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toContainText('12')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('12 keys deleted')).toBeVisible()
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search by name or path' }).fill('')
  await expect(page).not.toHaveURL(/q=/)
})
